package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

const moreVariables = `
Environment, besides what the flags name in brackets:
  BASE_IMAGE              image to build on; node:22-bookworm-slim
  CLAUDE_CODE_VERSION     version of Claude Code to build in; the latest
  AGENTBOX_CA_BUNDLE      certificates of a proxy, in PEM format; those of NODE_EXTRA_CA_CERTS
  AGENTBOX_CONTAINER      name of the box, to have several; agentbox
  AGENTBOX_IMAGE          name of the image; agentbox:latest
  CLAUDE_CODE_OAUTH_TOKEN, ANTHROPIC_* and *_PROXY are passed on to the box.
`

// help writes what a command does and how it is used.
func help(out io.Writer, c *cobra.Command) {
	fmt.Fprintf(out, "%s\n\nUsage:\n  %s\n", c.Long, c.UseLine())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\nCommands:\n")
		for _, name := range []string{"up", "shell", "rebuild", "doctor", "down"} {
			if sub, _, err := c.Find([]string{name}); err == nil {
				fmt.Fprintf(out, "  %-9s %s\n", name, sub.Short)
			}
		}
	}
	fmt.Fprintf(out, "\nFlags:\n")
	flag := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		usage = strings.ReplaceAll(usage, "\n", "\n"+strings.Repeat(" ", 26))
		fmt.Fprintf(out, "  %-23s %s\n", strings.TrimRight(name+" "+value, " "), usage)
	}
	c.LocalFlags().VisitAll(flag)
	if c.HasParent() {
		c.InheritedFlags().VisitAll(flag)
	}
	if !c.HasParent() {
		fmt.Fprint(out, moreVariables)
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return types.Misused(fmt.Sprintf("see '%s --help'", c.CommandPath()), "%s takes no argument, and was given %q", c.CommandPath(), args[0])
}

// noCommand is noArguments for the root: what is there was meant as a command.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return types.Misused(meant(near(c, args[0]), "see 'agentbox --help'"), "there is no command %q", args[0])
}

func meant(near, otherwise string) string {
	if near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// near returns the subcommand that name is a slip of the keyboard away from.
func near(c *cobra.Command, name string) string {
	c.SuggestionsMinimumDistance = 2
	if found := c.SuggestionsFor(name); len(found) > 0 {
		return found[0]
	}
	return ""
}

// badFlag says what is wrong with a flag, and how to write it.
func badFlag(c *cobra.Command, err error) error {
	fix := fmt.Sprintf("see '%s --help'", c.CommandPath())
	var unknown *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return types.Misused(meant(nearFlag(c, unknown.GetSpecifiedName()), fix),
			"there is no flag %s", dashed(unknown.GetSpecifiedName()))
	case errors.As(err, &noValue):
		return types.Misused(fix, "the flag %s needs a value", dashed(noValue.GetSpecifiedName()))
	}
	return types.Misused(fix, "%v", err)
}

// dashed writes a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// nearFlag is near for the flags of a command, for which cobra has no such
// thing: they stand in as subcommands.
func nearFlag(c *cobra.Command, name string) string {
	flags := &cobra.Command{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if found := near(flags, name); found != "" {
		return dashed(found)
	}
	return ""
}
