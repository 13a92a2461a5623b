package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/protect"
	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// protected is "sidekicks protected": it tells what the window may not change
// of an agent's folder, one entry a line: "protected" or "free", the entry,
// and the rule, between tabs. It ends with 0 whatever the answer, and with 2
// when there is none.
func (p *program) protected() *cobra.Command {
	return &cobra.Command{
		Use:   "protected [--config FILE] AGENT [PATH...]",
		Short: p.texts.Text("protect.CommandShort"),
		Long:  p.texts.Text("protect.Command"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused("protect.CommandNoAgent", nil)
			}
			return p.tellProtected(c.Context(), args[0], args[1:])
		},
	}
}

func (p *program) tellProtected(ctx context.Context, name string, paths []string) error {
	agent, err := p.agent(name)
	if err != nil {
		return err
	}
	files := app.NewFiles(runtime.NewLocalFiles(agent.Workspace), agent.Runtime.WorkspacePath, agent)
	if len(paths) == 0 {
		return p.listProtected(ctx, files, ".", agent)
	}
	for _, path := range paths {
		entry, ok := files.Locate(filepath.ToSlash(path))
		if !ok {
			return misused("protect.CommandOutside", map[string]any{"Path": path, "Folder": agent.Workspace})
		}
		err := files.Check(ctx, entry)
		var refusal *protect.Refusal
		switch {
		case err == nil:
			fmt.Fprintf(p.out, "free\t%s\n", printable(path))
		case !errors.As(err, &refusal):
			return &failure{exitUsage, err}
		case refusal.Holds != "":
			p.tellEntry(path, refusal)
		default:
			p.tellEntry(path, refusal.Rule)
		}
	}
	return nil
}

// listProtected tells what is protected in a folder.
func (p *program) listProtected(ctx context.Context, files *app.Files, dir string, agent config.Agent) error {
	entries, err := files.List(ctx, dir)
	if err != nil && dir == "." {
		return &failure{exitUsage, &phrase{"protect.CommandNoFolder", map[string]any{"Agent": agent.Name, "Folder": agent.Workspace, "Cause": err}}}
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Rule != nil {
			name := entry.Path
			if entry.Folder() {
				name += "/"
			}
			p.tellEntry(name, *entry.Rule)
		}
		if entry.Folder() {
			if err := p.listProtected(ctx, files, entry.Path, agent); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *program) tellEntry(name string, why error) {
	fmt.Fprintf(p.out, "protected\t%s\t%s\n", printable(name), p.texts.Error(why))
}

// printable is a name that stays on its line.
func printable(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return name
}

// agent is an agent of the configuration file by its name.
func (p *program) agent(name string) (config.Agent, error) {
	path, err := p.file()
	if err != nil {
		return config.Agent{}, err
	}
	c, problems, err := config.Load(path)
	if err != nil {
		return config.Agent{}, &failure{exitUsage, err}
	}
	if !config.Valid(problems) {
		return config.Agent{}, &failure{exitUsage, &phrase{"cli.WrongConfig", map[string]any{"Path": path}}}
	}
	i := slices.IndexFunc(c.Agents, func(a config.Agent) bool { return a.Name == name })
	if i >= 0 {
		return c.Agents[i], nil
	}
	var known []string
	for _, a := range c.Agents {
		known = append(known, a.Name)
	}
	return config.Agent{}, misused("protect.CommandUnknownAgent", map[string]any{"Name": name, "Known": known})
}
