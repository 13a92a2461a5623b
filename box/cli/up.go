package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/docker"
	"git.rickub.com/bots-garden/sidekicks/box/session"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// up builds what is missing, starts what does not run, and attaches.
func (p *program) up(ctx context.Context) error {
	if p.cfg.NoCache {
		return p.rebuild(ctx)
	}
	box, err := p.ready(ctx)
	if err != nil {
		return err
	}
	if box == nil {
		err = p.start(ctx, session.EntryUp)
	} else {
		err = p.reattach(ctx, box)
	}
	if err != nil {
		return err
	}
	return p.attach(ctx)
}

// rebuild builds the image anew and replaces the box.
func (p *program) rebuild(ctx context.Context) error {
	p.cfg.NoCache = true
	box, err := p.box(ctx)
	if err != nil {
		return err
	}
	if err := p.prepare(ctx); err != nil {
		return err
	}
	old, err := p.docker.Image(ctx, p.cfg.Image)
	if err != nil {
		return err
	}
	if err := p.build(ctx, "from nothing, which takes some minutes"); err != nil {
		return err
	}
	if box != nil {
		p.say("Ending the box that runs the old image.")
		if err := p.docker.End(ctx, box); err != nil {
			return err
		}
	}
	if old != nil {
		p.docker.RemoveImage(ctx, old.ID)
	}
	if err := p.start(ctx, session.EntryUp); err != nil {
		return err
	}
	return p.attach(ctx)
}

// shell opens bash in the box.
func (p *program) shell(ctx context.Context) error {
	box, err := p.ready(ctx)
	if err == nil && box == nil {
		err = p.start(ctx, session.EntryIdle)
	}
	if err != nil {
		return err
	}
	tty := session.Interactive()
	p.code, err = p.docker.Interact(ctx, p.cfg.Container, docker.Terminal{
		TTY:     tty,
		Dir:     types.WorkspacePath,
		Env:     append(session.TerminalEnv(), session.SizeEnv()...),
		Command: session.Shell(tty),
	})
	return err
}

// down ends the box. What it was started with does not matter.
func (p *program) down(ctx context.Context) error {
	box, err := p.docker.Box(ctx, p.cfg.Container)
	if err != nil {
		return err
	}
	if box == nil {
		p.say("There is no box %s.", p.cfg.Container)
		return nil
	}
	if err := p.docker.End(ctx, box); err != nil {
		return err
	}
	p.say("The box %s is removed. Caches and the image are kept.", p.cfg.Container)
	return nil
}

// box returns the box that runs, nil when there is none. One that does not run
// is stale: it is removed. One of another project is an error: its agents may
// be at work.
func (p *program) box(ctx context.Context) (*docker.Box, error) {
	box, err := p.docker.Box(ctx, p.cfg.Container)
	if box == nil || err != nil {
		return nil, err
	}
	if box.State.Status == "paused" {
		p.say("The box was paused: it goes on.")
		if err := p.docker.Unpause(ctx, box.ID); err != nil {
			return nil, err
		}
	} else if !box.Up() {
		p.say("Replacing the old box, which is not running (%s).", box.State)
		return nil, p.docker.Remove(ctx, box.ID)
	}
	if at := box.Labels[types.LabelWorkspace]; at != p.cfg.Workspace {
		return nil, &types.Error{
			Problem: fmt.Sprintf("the box %s is at work on %s, not on %s", p.cfg.Container, at, p.cfg.Workspace),
			Fix: "run agentbox there, or end that box with 'agentbox down'; " +
				"a second box needs a name and a port: AGENTBOX_CONTAINER=agentbox2 agentbox --port 4318",
		}
	}
	return box, nil
}

// ready returns the box that runs, nil when one has to be started: then its
// image has been built.
func (p *program) ready(ctx context.Context) (*docker.Box, error) {
	box, err := p.box(ctx)
	if err != nil {
		return nil, err
	}
	if box == nil {
		if err := p.prepare(ctx); err != nil {
			return nil, err
		}
	}
	if err := writeFiles(p.cfg); err != nil {
		return nil, err
	}
	image, err := p.docker.Image(ctx, p.cfg.Image)
	if err != nil {
		return nil, err
	}
	why := "for the first time, which takes some minutes"
	if image != nil {
		why, err = image.Outdated(p.cfg)
		if err != nil {
			return nil, err
		}
	}
	switch {
	case box == nil && why != "":
		return nil, p.build(ctx, why)
	case box != nil && (image == nil || why != "" || image.ID != box.Image):
		p.say("The box runs an older image. 'agentbox down', then 'agentbox' starts it with the one of today.")
	}
	return box, nil
}

func (p *program) build(ctx context.Context, why string) error {
	if err := writeFiles(p.cfg); err != nil {
		return err
	}
	p.say("Building the image %s: %s.", p.cfg.Image, why)
	return p.docker.Build(ctx, p.cfg, func(line string) { p.say("%s", line) })
}

// prepare finds out what must be right for a box to start, before minutes go
// into building its image.
func (p *program) prepare(ctx context.Context) error {
	engine, err := p.docker.Engine(ctx)
	if err != nil {
		return err
	}
	if p.cfg, err = engine.Fit(p.cfg); err != nil {
		return err
	}
	p.engine = engine
	if err := docker.Prepare(p.cfg); err != nil {
		return err
	}
	return docker.Owned(p.cfg)
}

// start makes the box, and waits until it has what it was told to make.
func (p *program) start(ctx context.Context, entry string) error {
	env := append(session.SizeEnv(), p.cfg.Pass...)
	if err := p.docker.Start(ctx, p.cfg, p.engine, env, entry); err != nil {
		return err
	}
	if entry == session.EntryUp {
		return p.await(ctx)
	}
	return nil
}

// await waits for the session. A box that ends before is left as it is, for
// whoever wants to look at it.
func (p *program) await(ctx context.Context) error {
	err := p.docker.Exec(ctx, p.cfg.Container, types.StartTime, session.Await, p.cfg.Session)
	if err == nil || ctx.Err() != nil {
		return err
	}
	box, inspectErr := p.docker.Box(ctx, p.cfg.Container)
	if inspectErr != nil || box.Up() {
		return errors.Join(err, inspectErr)
	}
	return p.crashed(ctx, box)
}

// crashed says how a box ended.
func (p *program) crashed(ctx context.Context, box *docker.Box) error {
	if box == nil {
		return &types.Error{Problem: "somebody removed the box", Fix: "run agentbox again"}
	}
	lines, err := p.docker.Logs(ctx, box.ID)
	if err != nil {
		lines = []string{err.Error()}
	}
	problem := fmt.Sprintf("the box has %s", box.State)
	if len(lines) > 0 {
		problem += "; docker logs:\n  " + strings.Join(lines, "\n  ")
	}
	return &types.Error{Problem: problem, Fix: "'agentbox doctor' checks what the box needs; 'agentbox rebuild' makes it anew"}
}

// reattach prepares a box that runs for being attached to, and says how it
// differs from what was asked for now.
func (p *program) reattach(ctx context.Context, box *docker.Box) error {
	for _, s := range []struct{ flag, label, want string }{
		{"yolo", types.LabelYolo, strconv.FormatBool(p.cfg.Yolo)},
		{"memory", types.LabelMemory, p.cfg.Memory},
		{"cpus", types.LabelCPUs, p.cfg.CPUs},
		{"port", types.LabelPort, strconv.Itoa(p.cfg.Port)},
		{"gpus", types.LabelGPUs, p.cfg.GPUs},
	} {
		if has := box.Labels[s.label]; p.cfg.Given[s.flag] && has != s.want {
			p.say("--%s %s does not apply to the box that runs, which has %q: 'agentbox down' first.", s.flag, s.want, has)
		}
	}
	p.cfg.Port, _ = strconv.Atoi(box.Labels[types.LabelPort])
	p.cfg.Yolo = box.Labels[types.LabelYolo] == "true"
	if p.docker.Exec(ctx, p.cfg.Container, types.AskTime, session.Exists, p.cfg.Session) == nil {
		return nil
	}
	// A box of "agentbox shell", or one that has just started.
	if err := p.docker.Exec(ctx, p.cfg.Container, types.StartTime, session.Make); err != nil {
		return err
	}
	return p.await(ctx)
}

// attach shows the session on the person's terminal, if there is one.
func (p *program) attach(ctx context.Context) error {
	mode := "agents ask before they act"
	if p.cfg.Yolo {
		mode = "yolo: agents act without asking"
	}
	p.say("The box %s runs (%s). Observer: http://localhost:%d", p.cfg.Container, mode, p.cfg.Port)
	if !session.Interactive() {
		p.say("This is no terminal: 'agentbox' in one attaches to it, 'agentbox down' ends it.")
		return nil
	}
	p.say("Ctrl-b d leaves it running. Claude Code's own Ctrl-b is typed twice.")
	client := session.NewClient()
	env := append(session.TerminalEnv(), session.ClientID+"="+client)
	code, err := p.docker.Interact(ctx, p.cfg.Container, docker.Terminal{
		TTY: true, Env: append(env, session.SizeEnv()...), Command: session.Attach(p.cfg.Session)})
	if err == nil && code == 0 {
		return p.left(ctx)
	}
	// The terminal may be gone, and this program told to end.
	after := context.WithoutCancel(ctx)
	_ = p.docker.Exec(after, p.cfg.Container, types.EndTime, session.Detach, client)
	if err != nil {
		return err
	}
	return p.left(after)
}

// left says what became of the box when the person has left it.
func (p *program) left(ctx context.Context) error {
	box, err := p.docker.Box(ctx, p.cfg.Container)
	switch {
	case err != nil:
		return err
	case box.Up() && p.docker.Exec(ctx, box.ID, types.AskTime, session.Exists, p.cfg.Session) == nil:
		p.say("The box runs on: 'agentbox' attaches to it, 'agentbox down' ends it.")
		return nil
	case box == nil || box.Up() || box.State.ExitCode == 0:
		p.say("The box has ended.")
		return nil
	}
	return p.crashed(ctx, box)
}
