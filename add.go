package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// addition is what "sidekicks add" is asked to add.
type addition struct {
	form    assist.Form
	command string // a program that is one word
	file    string // the agent's configuration file, as typed
	dryRun  bool
}

// add is "sidekicks add": it does what the assistant of the window does. It
// ends with 0 when the agent is added, with 1 when it is not and the file is
// as it was, and with 2 for a wrong usage or a file that cannot be read.
func (p *program) add() *cobra.Command {
	var a addition
	c := &cobra.Command{
		Use: `add [--config FILE] NAME --program PROGRAM|--command PROGRAM [--args ARGUMENTS] [--agent-file FILE]
      [--title TEXT] [--icon TEXT] [--description TEXT] [--workspace FOLDER]
      [--container NAME|--sandbox NAME [--folder FOLDER] [--create COMMAND] [--stop COMMAND] [--remove COMMAND]]
      [--dry-run]`,
		Short: p.texts.Text("assist.CommandShort"),
		Long:  p.texts.Text("assist.Command"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misused("assist.CommandNoName", nil)
			case len(args) > 1:
				return misused("cli.UnexpectedArgument", map[string]any{"Argument": args[1], "Command": c.CommandPath()})
			}
			a.form.Name = args[0]
			if err := a.settle(c); err != nil {
				return err
			}
			return p.addAgent(c.Context(), a)
		},
	}
	for _, flag := range []struct {
		name, text string
		to         *string
	}{
		{"program", "assist.ProgramFlag", &a.form.Program},
		{"command", "assist.CommandFlag", &a.command},
		{"args", "assist.ArgsFlag", &a.form.Arguments},
		{"agent-file", "assist.AgentFileFlag", &a.file},
		{"title", "assist.TitleFlag", &a.form.Title},
		{"icon", "assist.IconFlag", &a.form.Icon},
		{"description", "assist.DescriptionFlag", &a.form.Description},
		{"workspace", "assist.WorkspaceFlag", &a.form.Workspace},
		{"container", "assist.ContainerFlag", &a.form.Container},
		{"sandbox", "assist.SandboxFlag", &a.form.Sandbox},
		{"folder", "assist.FolderFlag", &a.form.LifecycleFolder},
		{"create", "assist.CreateFlag", &a.form.Create},
		{"stop", "assist.StopFlag", &a.form.Stop},
		{"remove", "assist.RemoveFlag", &a.form.Remove},
	} {
		c.Flags().StringVar(flag.to, flag.name, "", p.texts.Text(flag.text))
	}
	c.Flags().BoolVar(&a.dryRun, "dry-run", false, p.texts.Text("assist.DryRunFlag"))
	return c
}

// settle checks what the flags say together, and fills in what follows from
// the agent's configuration file.
func (a *addition) settle(c *cobra.Command) error {
	given := func(name string) bool { return c.Flags().Changed(name) }
	for _, pair := range [][2]string{{"program", "command"}, {"container", "sandbox"}} {
		if given(pair[0]) && given(pair[1]) {
			return misused("assist.CommandBoth", map[string]any{"One": "--" + pair[0], "Other": "--" + pair[1]})
		}
	}
	f := &a.form
	switch {
	case given("container"):
		f.Where = config.Container
	case given("sandbox"):
		f.Where = config.Sbx
	default:
		for _, name := range []string{"folder", "create", "stop", "remove"} {
			if given(name) {
				return misused("assist.CommandNoPlace", map[string]any{"Flag": "--" + name})
			}
		}
	}
	if given("command") {
		f.Program = assist.Join([]string{a.command})
	}
	if !given("agent-file") {
		return nil
	}
	file, err := filepath.Abs(a.file)
	if err == nil {
		_, err = assist.Identify(file)
	}
	if err != nil {
		return &failure{exitUsage, err}
	}
	typed := *f
	f.Arguments = ""
	*f = f.WithAgentFile(file)
	f.Arguments = strings.TrimSpace(f.Arguments + " " + typed.Arguments)
	if given("workspace") {
		f.Workspace = typed.Workspace
	}
	return nil
}

// addAgent adds an agent, or shows the lines that would be added.
func (p *program) addAgent(ctx context.Context, a addition) error {
	path, err := p.file()
	if err != nil {
		return err
	}
	plan, err := assist.Prepare(path, a.form, config.WithLookPath(lookPath(ctx)))
	var wrong assist.FieldErrors
	switch {
	case errors.As(err, &wrong):
		for _, field := range wrong {
			p.remark("sidekicks: " + fieldNames[field.Field] + ": " + p.texts.Error(field))
		}
		return &failure{code: exitFailed}
	case errors.As(err, new(*config.ReadError)):
		return &failure{exitUsage, err}
	case err != nil:
		return err
	}
	for _, problem := range plan.Warnings {
		p.remark(warning + problem.Text(p.texts))
	}
	if a.dryRun {
		fmt.Fprintln(p.out, strings.Join(plan.Change.Lines, "\n"))
		return nil
	}
	if err := plan.Write(); err != nil {
		return err
	}
	fmt.Fprintln(p.out, p.texts.Text("assist.CommandAdded", "Name", plan.Agent.Name, "Path", path, "Line", plan.Agent.Line))
	return nil
}

// fieldNames are the fields of the assistant as the command line has them.
var fieldNames = map[assist.Field]string{
	assist.Name: "NAME", assist.Title: "--title", assist.Icon: "--icon", assist.Description: "--description",
	assist.Workspace: "--workspace", assist.Program: "--program", assist.Arguments: "--args",
	assist.Container: "--container", assist.Sandbox: "--sandbox", assist.LifecycleFolder: "--folder",
	assist.Create: "--create", assist.Stop: "--stop", assist.Remove: "--remove",
}
