package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help writes what a command does and how it is used.
func (p *program) help(c *cobra.Command) {
	out := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	defer out.Flush()
	fmt.Fprintf(out, "%s\n\n%s\n  %s\n", c.Long, p.texts.Text("cli.Usage"), c.UseLine())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n%s\n", p.texts.Text("cli.Commands"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(out, "  %s\t%s\n", sub.Name(), sub.Short)
			}
		}
	}
	fmt.Fprintf(out, "\n%s\n", p.texts.Text("cli.Flags"))
	flags := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		fmt.Fprintf(out, "  %s\t%s\n", strings.TrimRight(name+" "+value, " "), usage)
	}
	c.LocalFlags().VisitAll(flags)
	if c.HasParent() {
		c.InheritedFlags().VisitAll(flags)
	}
}

// helpCommand is "sidekicks help [COMMAND]".
func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  p.texts.Text("cli.HelpShort"),
		Long:   p.texts.Text("cli.HelpShort"),
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			about, _, err := c.Root().Find(args)
			if err != nil {
				return unknownCommand(c.Root(), args[0])
			}
			return about.Help()
		},
	}
}

func unknownCommand(root *cobra.Command, name string) error {
	return misused("cli.UnknownCommand", map[string]any{"Name": name, "Near": near(root, name)})
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
	args := map[string]any{"Command": c.CommandPath()}
	var unknown *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		args["Flag"] = dashed(unknown.GetSpecifiedName())
		args["Near"] = nearFlag(c, unknown.GetSpecifiedName())
		return misused("cli.UnknownFlag", args)
	case errors.As(err, &noValue):
		args["Flag"] = dashed(noValue.GetSpecifiedName())
		return misused("cli.FlagWithoutValue", args)
	case errors.As(err, &bad):
		args["Flag"], args["Value"] = dashed(bad.GetFlag().Name), bad.GetValue()
		if bad.GetFlag().Value.Type() == "duration" {
			return misused("cli.BadDuration", args)
		}
	}
	args["Reason"] = err
	return misused("cli.BadFlag", args)
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
