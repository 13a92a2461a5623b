package main

import (
	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/box/cli"
)

// box is "sidekicks box": agentbox under another name. Its arguments, help
// included, are agentbox's.
func (p *program) box() *cobra.Command {
	c := &cobra.Command{
		Use:                "box",
		Short:              p.texts.Text("cli.BoxShort"),
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := cli.Run(args); code != 0 {
				return &failure{code: code}
			}
			return nil
		},
	}
	c.SetHelpFunc(func(*cobra.Command, []string) { cli.Run([]string{"--help"}) })
	return c
}
