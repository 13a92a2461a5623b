// Sidekicks is one window to talk to several AI agents over the Agent Client
// Protocol. Without a command it opens the window; its commands do without one.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"git.rickub.com/bots-garden/sidekicks/agent"
)

func main() {
	// The first signal lets a command end its agents; the next one is final.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	agent.Version = buildVersion()
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}
