// Package docker asks the docker command for what agentbox needs: the image,
// the container, and the folders of the host that it mounts. It knows neither
// the command line of agentbox nor what runs in the box.
//
// It speaks to the command and not to the engine's interface, so contexts,
// DOCKER_HOST, credential helpers and podman's "docker" work as they do for
// the person.
package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/types"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Client runs the docker command.
type Client struct {
	program string
	env     []string // nil for that of this program
}

// New returns a client of the docker command in the PATH, or else in that of
// the login shell: a window or a service may have been started with a bare one.
func New(ctx context.Context) *Client {
	if _, err := (process.Command{Path: "docker"}).Resolve(); err == nil {
		return &Client{program: "docker"}
	}
	path, _ := process.LoginPath(ctx) // usable in any case
	return &Client{program: "docker", env: process.Environ(os.Environ(), path, nil)}
}

// Program returns the file of the docker command.
func (c *Client) Program() (string, error) {
	program, err := c.command().Resolve()
	return program, explain(err)
}

func (c *Client) command(args ...string) process.Command {
	return process.Command{Path: c.program, Args: args, Env: c.env}
}

// run runs a docker command that ends by itself. What it prints goes to
// output, which may be nil.
func (c *Client) run(ctx context.Context, limit time.Duration, output func(line string), args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return explain(process.Run(ctx, c.command(args...), output))
}

// ask runs a docker command that prints v as one line of JSON, warnings apart.
func (c *Client) ask(ctx context.Context, v any, args ...string) error {
	answer := ""
	err := c.run(ctx, types.AskTime, func(line string) {
		if strings.HasPrefix(line, "{") {
			answer = line
		}
	}, args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(answer), v); err != nil {
		return &types.Error{
			Problem: fmt.Sprintf("docker %s gave an answer that agentbox does not understand: %q", strings.Join(args[:2], " "), answer),
			Fix:     "check with 'docker version' that this is Docker 20.10 or newer, or podman 4 or newer",
			Err:     err,
		}
	}
	return nil
}

// missing tells whether docker says that what was asked about does not exist.
func missing(err error) bool {
	var failed *process.RunError
	return errors.As(err, &failed) && failed.Err == nil && contains(failed, "no such", "not known", "no container with")
}

func contains(failed *process.RunError, texts ...string) bool {
	output := strings.ToLower(strings.Join(failed.Output, "\n"))
	for _, text := range texts {
		if strings.Contains(output, strings.ToLower(text)) {
			return true
		}
	}
	return false
}
