package docker

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"git.rickub.com/bots-garden/sidekicks/box/types"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// detachKeys are what nobody types: docker would keep Ctrl-p for itself, and
// leave on Ctrl-p Ctrl-q.
const detachKeys = "ctrl-@,ctrl-_,ctrl-@,ctrl-_"

// Terminal is a program in the box that the person uses on the terminal of
// this program, or that has its standard streams where there is none.
type Terminal struct {
	TTY     bool
	Dir     string   // "" for that of the image
	Env     []string // NAME=value, or NAME to pass on
	Command []string
}

// Interact runs a program in the box until it ends, and returns its exit code.
// The docker command is given the terminal itself, so resizing needs nothing
// else. Signals that the terminal sends are the program's; when this program
// is told to end, the docker command is too.
func (c *Client) Interact(ctx context.Context, name string, t Terminal) (int, error) {
	command := c.command(t.args(name)...)
	program, err := command.Resolve()
	if err != nil {
		return 0, explain(err)
	}
	cmd := exec.CommandContext(ctx, program, command.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, command.Env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = types.EndTime

	keys := make(chan os.Signal, 1)
	signal.Notify(keys, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(keys)

	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case errors.As(err, &ended):
		return ended.ExitCode(), nil
	case err != nil:
		return 0, explain(&process.StartError{Reason: process.Refused, Program: program, Tried: program, Err: err})
	}
	return 0, nil
}

func (t Terminal) args(name string) []string {
	args := []string{"exec", "--interactive"}
	if t.TTY {
		args = append(args, "--tty", "--detach-keys", detachKeys)
	}
	if t.Dir != "" {
		args = append(args, "--workdir", t.Dir)
	}
	for _, variable := range t.Env {
		args = append(args, "--env", variable)
	}
	return append(append(args, name), t.Command...)
}
