package runtime

import (
	"context"
	"strings"
)

// sbx is the engine of sandboxes.
type sbx struct{}

func (sbx) program() string { return "sbx" }

// look lists the sandboxes. A stopped one needs nothing: sbx exec starts it.
func (sbx) look(ctx context.Context, b *box) (state, error) {
	out, err := b.call(ctx, b.limits.look, "ls", "-q")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		if strings.TrimSpace(line) == b.spec.Name {
			return running, nil
		}
	}
	return missing, nil
}

func (sbx) wake(context.Context, *box, state) error { return nil }

func (sbx) code(output string) Code {
	has := func(text string) bool { return strings.Contains(output, text) }
	switch {
	case has("not found") && has("sandbox"), has("no such sandbox"), has("does not exist"):
		return Missing
	case has("executable file not found"):
		return NoShell
	}
	return ""
}
