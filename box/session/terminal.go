package session

import (
	"crypto/rand"
	"fmt"
	"os"

	"golang.org/x/term"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// Interactive tells whether a person is at the terminal of this program.
func Interactive() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// SizeEnv returns the size of the terminal as variables for the entry script:
// in a container that is detached, nothing can be measured. It is nil where
// there is no terminal, or one that does not know its size.
func SizeEnv() []string {
	for _, f := range []*os.File{os.Stdout, os.Stdin, os.Stderr} {
		if cols, rows, err := term.GetSize(int(f.Fd())); err == nil && cols > 0 && rows > 0 {
			return []string{fmt.Sprintf("AGENTBOX_COLS=%d", cols), fmt.Sprintf("AGENTBOX_ROWS=%d", rows)}
		}
	}
	return nil
}

// TerminalEnv are the variables of the host that tell what the terminal can do.
func TerminalEnv() []string {
	env := []string{"TERM=xterm-256color"}
	for _, name := range []string{"TERM", "COLORTERM"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// onTerminal prepares the terminal of a program in the box. docker tells it
// its size a moment after the program has started; and terminals that the box
// has not heard of, such as Ghostty's, are like xterm.
const onTerminal = `
for _ in 1 2 3 4 5 6 7 8 9 10; do
	case $(stty size 2>/dev/null) in '' | '0 0') sleep 0.05 ;; *) break ;; esac
done
case $(stty size 2>/dev/null) in '0 0') stty cols "${AGENTBOX_COLS:-200}" rows "${AGENTBOX_ROWS:-50}" ;; esac
case $TERM in dumb | '') TERM=xterm-256color ;; esac
infocmp "$TERM" >/dev/null 2>&1 || TERM=xterm-256color
export TERM
`

// Attach is the command that shows the session on the terminal it runs on. It
// takes the session from other terminals: one that was closed without a word
// would keep its size.
func Attach(session string) []string {
	return []string{"sh", "-c", onTerminal + `exec tmux -u attach-session -d -t "=$1"`, "sh", session}
}

// Shell is the command of a shell; without a terminal, one that reads its input.
func Shell(tty bool) []string {
	if !tty {
		return []string{"bash"}
	}
	return []string{"sh", "-c", onTerminal + "exec bash"}
}

// Await is a script that waits until the session $1 exists.
const Await = `until tmux has-session -t "=$1" 2>/dev/null; do sleep 0.05; done`

// Exists is a script that tells whether the session $1 exists.
const Exists = `tmux has-session -t "=$1" 2>/dev/null`

// ClientID names the variable that marks what [Attach] runs; its value is new
// for each terminal.
const ClientID = "AGENTBOX_CLIENT"

// NewClient returns a value of [ClientID].
func NewClient() string { return rand.Text() }

// Detach is a script that detaches what runs with the [ClientID] $1: when the
// docker command is killed, or its terminal closed, nobody tells tmux.
const Detach = `for pid in $(tmux list-clients -F '#{client_pid}' 2>/dev/null); do
	if grep -qz "^AGENTBOX_CLIENT=$1$" "/proc/$pid/environ"; then kill -HUP "$pid"; fi
done`

// Make is a script that makes the session in a box that idles.
const Make = "bash " + types.EntryPath + " " + EntrySession
