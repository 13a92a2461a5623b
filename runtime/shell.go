package runtime

import (
	"context"
	"crypto/rand"
	"io"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// shellMark is the variable that what a shell of ours starts inside is known
// by.
const shellMark = "SIDEKICKS_SHELL="

// shellScript opens the shell of whoever it runs as, in the folder $1 if that
// is there.
const shellScript = `cd "$1" 2>/dev/null
for shell in "$SHELL" bash sh; do
	[ -z "$shell" ] || ! command -v "$shell" >/dev/null 2>&1 || exec "$shell"
done`

// tidyScript ends what carries the mark $1.
const tidyScript = `for signal in HUP TERM KILL KILL; do
	left=
	for path in /proc/[0-9]*; do
		{ tr '\0' '\n' <"$path/environ" | grep -qxF "$1"; } 2>/dev/null && left="$left ${path#/proc/}"
	done
	[ -n "$left" ] || exit 0
	kill -$signal $left 2>/dev/null
	sleep 0.2 2>/dev/null || sleep 1
done`

// Shell runs on a terminal of this computer, whose size docker passes on. The
// keys that would leave it running behind the person's back are taken away:
// Ctrl+P is wanted by shells.
func (b *box) Shell() process.Command {
	flags := append([]string{"-it"}, b.entry.user...)
	flags = append(flags, "--detach-keys", "ctrl-@,ctrl-@",
		"-e", "TERM=xterm-256color", "-e", "COLORTERM=truecolor", "-e", shellMark+rand.Text())
	c := b.inside(flags, "sh", "-c", shellScript, ownMark, b.spec.WorkspacePath)
	c.Env = b.host.Environ(context.Background())
	return c
}

// Tidy ends what a shell left running: ending docker does not.
func (b *box) Tidy(ctx context.Context, shell process.Command) error {
	for _, arg := range shell.Args {
		if strings.HasPrefix(arg, shellMark) {
			c := b.script([]string{"-u", "0"}, tidyScript, ownMark, arg)
			return b.stream(ctx, c, b.limits.quiet, nil, io.Discard)
		}
	}
	return nil
}
