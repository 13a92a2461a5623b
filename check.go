package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// check is "sidekicks check": it tells the problems of the configuration, one
// a line or as JSON. It ends with 0 for a file that can be used, 1 for one
// with errors, and 2 for one that cannot be read.
func (p *program) check() *cobra.Command {
	var language string
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [--config FILE] [--language en|fr] [--json]",
		Short: p.texts.Text("cli.CheckShort"),
		Long:  p.texts.Text("cli.Check"),
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if language != "" && !slices.Contains([]string{"en", "fr"}, language) {
				return misused("cli.BadLanguage", map[string]any{"Value": language})
			}
			return p.checkFile(c.Context(), asJSON)
		},
	}
	c.Flags().StringVar(&language, "language", "", p.texts.Text("cli.LanguageFlag"))
	c.Flags().BoolVar(&asJSON, "json", false, p.texts.Text("cli.JSONFlag"))
	return c
}

func (p *program) checkFile(ctx context.Context, asJSON bool) error {
	path, err := p.file()
	if err != nil {
		return err
	}
	_, problems, err := config.Load(path, config.WithLookPath(lookPath(ctx)))
	if err != nil {
		return &failure{exitUsage, err}
	}
	if asJSON {
		err = p.tellJSON(problems)
	} else {
		p.tell(problems)
	}
	if err == nil && !config.Valid(problems) {
		err = &failure{code: exitFailed}
	}
	return err
}

func (p *program) tell(problems []config.Problem) {
	for _, problem := range problems {
		text := problem.Text(p.texts)
		if problem.Severity == config.Warning {
			text = warning + text
		}
		fmt.Fprintln(p.out, text)
	}
}

// finding is a problem as other programs read it.
type finding struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Path     string `json:"path"`
	Severity string `json:"severity"` // "error" or "warning"
	Code     string `json:"code"`
	Message  string `json:"message"` // without the line and the path
}

func (p *program) tellJSON(problems []config.Problem) error {
	findings := make([]finding, len(problems))
	for i, problem := range problems {
		findings[i] = finding{
			problem.Line, problem.Column, problem.Path, problem.Severity.String(), problem.Code, p.texts.Error(problem),
		}
	}
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(findings)
}

// lookPath looks for programs where agents are started from.
func lookPath(ctx context.Context) func(program string, env map[string]string) error {
	return func(program string, env map[string]string) error {
		// With an error, the path is the one of this process.
		path, _ := process.LoginPath(ctx)
		if own, ok := env["PATH"]; ok {
			path = process.ParsePath(own, "env")
		}
		_, err := path.Look(program)
		return err
	}
}

// warning begins the line of a problem that keeps nothing from working. It is
// the same in every language, for other programs to find.
const warning = "warning: "

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misused("cli.UnexpectedArgument", map[string]any{"Argument": args[0], "Command": c.CommandPath()})
	}
	return nil
}
