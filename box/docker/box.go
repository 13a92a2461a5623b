package docker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/types"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Box is a container that exists.
type Box struct {
	ID     string
	Image  string // id of its image
	State  State
	Labels map[string]string
}

// State is what the engine says of a container.
type State struct {
	Status    string // created, running, paused, restarting, removing, exited, dead
	ExitCode  int
	OOMKilled bool
}

func (s State) String() string {
	switch {
	case s.OOMKilled:
		return "ended for want of memory, see --memory"
	case s.Status == "exited":
		return fmt.Sprintf("ended with exit code %d", s.ExitCode)
	}
	return s.Status
}

// Up tells whether programs can run in the box.
func (b *Box) Up() bool { return b != nil && b.State.Status == "running" }

// Box returns the container of that name, nil when there is none. One that
// agentbox did not make is an error: it is nobody's business here.
func (c *Client) Box(ctx context.Context, name string) (*Box, error) {
	box := new(Box)
	err := c.ask(ctx, box, "container", "inspect", "--format",
		`{"id":{{json .Id}},"image":{{json .Image}},"state":{{json .State}},"labels":{{json .Config.Labels}}}`, name)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, ours := box.Labels[types.LabelYolo]; !ours {
		return nil, &types.Error{
			Problem: fmt.Sprintf("the container %s exists, and agentbox did not make it", name),
			Fix:     fmt.Sprintf("rename it ('docker rename %s other'), or name the box otherwise with AGENTBOX_CONTAINER", name),
		}
	}
	return box, nil
}

// Start makes the box and starts it. The entry script is given its argument
// and the variables of env. Nothing is left of a box that did not start.
func (c *Client) Start(ctx context.Context, cfg types.Config, e Engine, env []string, entry string) error {
	args, err := runArgs(cfg, e, env, entry)
	if err != nil {
		return err
	}
	err = c.run(ctx, types.StartTime, nil, args...)
	if err == nil {
		return c.ownVolumes(ctx, cfg)
	}
	var failed *process.RunError
	if !errors.As(err, &failed) {
		return err
	}
	// The engine keeps what it could make of it, unless the name is another's.
	if !contains(failed, "already in use by container") {
		_ = c.Remove(context.WithoutCancel(ctx), cfg.Container)
	}
	if busyPort.MatchString(strings.Join(failed.Output, "\n")) {
		return c.portTaken(ctx, cfg.Port, err)
	}
	return err
}

// runArgs is the command line that makes the box.
func runArgs(cfg types.Config, e Engine, env []string, entry string) ([]string, error) {
	port := strconv.Itoa(cfg.Port)
	args := []string{"run", "--detach", "--init", "--name", cfg.Container,
		"--publish", "127.0.0.1:" + port + ":" + port,
		"--memory", cfg.Memory, "--cpus", cfg.CPUs,
	}
	if cfg.GPUs != "" {
		args = append(args, "--gpus", cfg.GPUs)
	}
	for _, label := range []struct{ name, value string }{
		{types.LabelYolo, strconv.FormatBool(cfg.Yolo)},
		{types.LabelWorkspace, cfg.Workspace},
		{types.LabelPort, port},
		{types.LabelMemory, cfg.Memory},
		{types.LabelCPUs, cfg.CPUs},
		{types.LabelGPUs, cfg.GPUs},
	} {
		args = append(args, "--label", label.name+"="+label.value)
	}
	if e.Podman && e.Rootless {
		args = append(args, "--userns", "keep-id")
	}
	if e.SELinux { // rather than relabel the home of the person
		args = append(args, "--security-opt", "label=disable")
	}
	mounts, err := mounts(cfg)
	if err != nil {
		return nil, err
	}
	for _, m := range mounts {
		args = append(args, "--mount", m.String())
	}
	sessions := types.SessionsPath + ":mode=1777"
	if !e.Podman {
		sessions = fmt.Sprintf("%s:uid=%d,gid=%d,mode=700", types.SessionsPath, cfg.UID, cfg.GID)
	}
	args = append(args, "--tmpfs", sessions)
	for _, variable := range env {
		args = append(args, "--env", variable)
	}
	return append(args, cfg.Image, "bash", types.EntryPath, entry), nil
}

// ownVolumes gives the volumes to the user of the box: one that was filled by
// a user with another id stays that user's.
func (c *Client) ownVolumes(ctx context.Context, cfg types.Config) error {
	args := []string{"exec", "--user", "0", cfg.Container, "sh", "-c",
		`owner=$1; shift; for d; do [ "$(stat -c %u:%g "$d")" = "$owner" ] || chown -R "$owner" "$d"; done`, "sh",
		fmt.Sprintf("%d:%d", cfg.UID, cfg.GID)}
	for _, v := range types.CacheVolumes {
		args = append(args, v.Path)
	}
	err := c.run(ctx, types.StartTime, nil, args...)
	if box, inspectErr := c.Box(ctx, cfg.Container); inspectErr == nil && !box.Up() {
		return nil // it ended at once: whoever waits for its session tells why
	}
	return err
}

// End ends what runs in the box, so that no agent leaves its team behind on
// the host, and removes it. It is no error when there is no box.
func (c *Client) End(ctx context.Context, box *Box) error {
	if box == nil {
		return nil
	}
	switch box.State.Status {
	case "paused":
		if err := c.Unpause(ctx, box.ID); err != nil {
			return err
		}
		fallthrough
	case "running":
		// The entry script ends tmux, and waits for the agents. What does not
		// end is removed all the same.
		seconds := strconv.Itoa(int(types.EndTime.Seconds()))
		_ = c.run(ctx, types.AskTime+types.EndTime, nil, "stop", "-t", seconds, box.ID)
	}
	return c.Remove(ctx, box.ID)
}

// Unpause lets a paused box go on.
func (c *Client) Unpause(ctx context.Context, name string) error {
	return c.run(ctx, types.AskTime, nil, "unpause", name)
}

// Remove removes a container, running or not. It is no error when there is none.
func (c *Client) Remove(ctx context.Context, name string) error {
	err := c.run(ctx, types.AskTime+types.EndTime, nil, "rm", "--force", name)
	if missing(err) {
		return nil
	}
	return err
}

// Logs returns the last lines that the box printed.
func (c *Client) Logs(ctx context.Context, name string) ([]string, error) {
	log := process.NewLog(8 << 10)
	err := c.run(ctx, types.AskTime, log.Add, "logs", "--tail", "40", name)
	return log.Lines(-1), err
}

// Exec runs a shell script in the box, with $1 and so on as its arguments.
func (c *Client) Exec(ctx context.Context, name string, limit time.Duration, script string, args ...string) error {
	return c.run(ctx, limit, nil, append([]string{"exec", name, "sh", "-c", script, "sh"}, args...)...)
}

// Try runs a shell script in a container of the image that exists for it
// alone, without network, with the scripts of the box. Each line it prints
// goes to output.
func (c *Client) Try(ctx context.Context, cfg types.Config, output func(line string), script string) error {
	return c.run(ctx, types.AskTime, output, "run", "--rm", "--network", "none",
		"--mount", mount{source: cfg.EntryScript, target: types.EntryPath, readonly: true}.String(),
		"--mount", mount{source: cfg.ObserverAsset, target: types.ObserverPath, readonly: true}.String(),
		cfg.Image, "sh", "-c", script)
}
