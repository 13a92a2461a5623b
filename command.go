package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// The codes the program ends with. Each command says what they mean for it.
const (
	exitFailed = 1
	exitUsage  = 2 // also a file that cannot be read
)

// program is one run of the program: its streams, its language, and the
// flag that all commands have.
type program struct {
	streams
	texts  *i18n.Printer
	config string // value of --config
}

// run runs the program with its arguments and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	args = opening(args)
	line := scan(args)
	p := &program{streams: s, texts: i18n.For(line.speaks())}
	root := p.root()
	root.SetArgs(args)
	command, _, err := root.Find(args)
	switch {
	case line.help && command.Name() != "box": // which knows its own
		err = command.Help()
	case err != nil && !strings.HasPrefix(line.words[0], "__"): // cobra's own, for completion
		err = unknownCommand(root, line.words[0])
	default:
		err = root.ExecuteContext(ctx)
	}
	return p.exit(err)
}

// opening lets a file stand alone, as a desktop gives one that was opened with
// Sidekicks: it is the configuration file.
func opening(args []string) []string {
	if len(args) != 1 || !strings.ContainsAny(args[0], "/.\\") || strings.HasPrefix(args[0], "-") {
		return args
	}
	return []string{"--config", args[0]}
}

// root is the command line as a whole.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "sidekicks [[--config] FILE] [COMMAND]",
		Long:          p.texts.Text("cli.Root"),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return p.window(c.Context()) },
	}
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringVar(&p.config, "config", "", p.texts.Text("cli.ConfigFlag"))
	root.PersistentFlags().BoolP("help", "h", false, p.texts.Text("cli.HelpFlag"))
	root.SetFlagErrorFunc(badFlag)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { p.help(c) })
	root.SetHelpCommand(p.helpCommand())
	root.AddCommand(p.add(), p.check(), p.protected(), p.send(), p.guide(), p.box(), p.version())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range append(root.Commands(), root) {
		c.DisableFlagsInUseLine = true
	}
	return root
}

// exit tells what went wrong, on one line, and returns the exit code.
func (p *program) exit(err error) int {
	if err == nil {
		return 0
	}
	code := exitFailed
	var f *failure
	if errors.As(err, &f) {
		code, err = f.code, f.err
	}
	if err != nil {
		fmt.Fprintln(p.err, "sidekicks: "+p.texts.Error(err))
	}
	return code
}

// A failure is an error with the code to end with. A nil err has been told.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return fmt.Sprint(f.err) }
func (f *failure) Unwrap() error { return f.err }

// A phrase is an error of the command line, told in a text of the catalogue.
type phrase struct {
	id   string
	args map[string]any
}

func (p *phrase) Error() string                      { return i18n.For("en").Error(p) }
func (p *phrase) Localize() (string, map[string]any) { return p.id, p.args }

// misused says that the command line cannot be understood.
func misused(id string, args map[string]any) error {
	return &failure{exitUsage, &phrase{id, args}}
}

// file returns the configuration file to read. The one at the default
// location is created when there is none.
func (p *program) file() (string, error) {
	location, err := config.Locate(p.config, os.Getenv)
	if err == nil && location.Source == config.FromDefault {
		err = config.EnsureDefault(location.Path, p.texts.Language())
	}
	if err != nil {
		return "", &failure{exitUsage, err}
	}
	if err := config.Stat(location.Path); err != nil {
		return "", &failure{exitUsage, err}
	}
	if location.Damaged != nil {
		p.remark(warning + p.texts.Error(location.Damaged))
	}
	if location.Gone != "" {
		p.remark(warning + p.texts.Text("cli.Gone", "Path", location.Gone, "Default", location.Path))
	}
	return location.Path, nil
}

// invocation is what must be known of the arguments before any command reads
// them: help is given whatever else they say, and in the right language.
type invocation struct {
	help             bool
	config, language string
	words            []string // the arguments that are no flags
}

// scan reads the arguments and takes no offence.
func scan(args []string) (line invocation) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.BoolVarP(&line.help, "help", "h", false, "")
	flags.StringVar(&line.config, "config", "", "")
	flags.StringVar(&line.language, "language", "", "")
	// What is wrong is told by the command.
	_ = flags.Parse(args)
	line.words = flags.Args()
	return line
}

// speaks returns the language to speak in: that of --language, of the
// configuration file, or of the computer.
func (line invocation) speaks() string {
	if line.language != "" {
		return line.language
	}
	if location, err := config.Locate(line.config, os.Getenv); err == nil {
		if c, _, err := config.Load(location.Path); err == nil {
			return c.UI.Language
		}
	}
	return systemLanguage()
}

// systemLanguage returns the language of the computer, as POSIX finds it.
func systemLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return ""
}
