package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is "sidekicks version".
func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: p.texts.Text("cli.VersionShort"),
		Long:  p.texts.Text("cli.VersionShort"),
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.out, "sidekicks %s (%s, %s/%s)\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// buildVersion is the version the program was built from: the tag of a
// release, else that of the commit, as the go command wrote it down.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
