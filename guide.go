package main

import (
	"cmp"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/guide"
)

// guide is "sidekicks guide": the agent inside the program, for Sidekicks to
// start.
func (p *program) guide() *cobra.Command {
	return &cobra.Command{
		Use:   "guide",
		Short: p.texts.Text("cli.GuideShort"),
		Long:  p.texts.Text("cli.Guide"),
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			language := cmp.Or(os.Getenv("SIDEKICKS_LANGUAGE"), systemLanguage())
			err := guide.Serve(c.Context(), p.in, nopCloser{p.out}, language)
			if errors.Is(err, c.Context().Err()) {
				return nil // it was told to stop
			}
			return err
		},
	}
}

// nopCloser keeps a stream of the program open.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
