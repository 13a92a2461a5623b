package runtime

import (
	"context"
	"errors"
	"strings"
)

// docker is the engine of containers.
type docker struct{}

func (docker) program() string { return "docker" }

// look asks for the container of exactly this name: docker takes the beginning
// of an id as well.
func (docker) look(ctx context.Context, b *box) (state, error) {
	out, err := b.call(ctx, b.limits.look, "container", "inspect", "--format", "{{.Name}} {{.State.Status}}", b.spec.Name)
	var failure *Error
	if errors.As(err, &failure) && failure.Code == Missing {
		return missing, nil
	}
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) { // warnings come with it
		name, status, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.TrimPrefix(name, "/") != b.spec.Name {
			continue
		}
		switch status {
		case "running", "restarting":
			return running, nil
		case "paused":
			return paused, nil
		}
		return stopped, nil
	}
	return missing, nil
}

// wake starts a stopped container, and unpauses a paused one, which start does
// not do.
func (d docker) wake(ctx context.Context, b *box, s state) error {
	args := []string{"start", b.spec.Name}
	if s == paused {
		args[0] = "unpause"
	}
	b.host.Log("the container " + b.spec.Name + " is " + string(s) + ": " + b.command(args...).String())
	out, err := b.call(ctx, b.limits.wake, args...)
	if err != nil {
		return err
	}
	if s, err = d.look(ctx, b); err != nil || s == running {
		return err
	}
	failure := b.failure(Ended, b.command(args...))
	failure.Output = out
	return failure
}

func (docker) code(output string) Code {
	has := func(text string) bool { return strings.Contains(output, text) }
	switch {
	case has("permission denied") && has("docker") && has("socket"):
		return NotAllowed
	case has("Cannot connect to the Docker daemon"), has("Is the docker daemon running"), has("error during connect"):
		return DaemonStopped
	case has("No such container"):
		return Missing
	case has("is paused"):
		return Paused
	case has("is not running"), has("is restarting"):
		return NotRunning
	case has("executable file not found"), has("no such file or directory") && has("exec"):
		return NoShell
	}
	return ""
}
