package runtime

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Code is the kind of an [Error].
type Code string

// What can be wrong with a container or a sandbox.
const (
	NotInstalled  Code = "NotInstalled"  // there is no docker or sbx
	DaemonStopped Code = "DaemonStopped" // Docker does not run
	NotAllowed    Code = "NotAllowed"    // the person may not use Docker
	Missing       Code = "Missing"       // no such container or sandbox
	NotCreated    Code = "NotCreated"    // `create` succeeded, and there still is none
	Silent        Code = "Silent"        // docker or sbx does not answer
	TooLong       Code = "TooLong"       // a command of `lifecycle` did not end in time
	NeedsApproval Code = "NeedsApproval" // a command of `lifecycle` asks a question
	Ended         Code = "Ended"         // the container stopped as soon as it was started
	NotRunning    Code = "NotRunning"    // it is stopped
	Paused        Code = "Paused"
	NoShell       Code = "NoShell" // there is no sh, or not what goes with it
	Failed        Code = "Failed"  // anything else: see Output
)

// Error says what is wrong with a container or a sandbox: the text
// "runtime.<Code>" of the catalogue, or "runtime.<Code>.<Kind>" for those that
// differ.
type Error struct {
	Code    Code
	Kind    Kind
	Name    string        // of the container or the sandbox
	Program string        // docker or sbx
	Command string        // what was run, without the values of variables
	Limit   time.Duration // with Silent and TooLong
	Output  string        // what the command said last
	Err     error
}

// sentences say each code in English, for logs.
var sentences = map[Code]string{
	NotInstalled:  "{program} is not installed",
	DaemonStopped: "Docker does not run",
	NotAllowed:    "no permission to use Docker",
	Missing:       "there is no {place} called {name}",
	NotCreated:    "there still is no {place} called {name}",
	Silent:        "{program} does not answer",
	TooLong:       "takes too long",
	NeedsApproval: "asks for approval; add --force",
	Ended:         "the {place} {name} stops as soon as it is started",
	NotRunning:    "the {place} {name} does not run",
	Paused:        "the {place} {name} is paused",
	NoShell:       "there is no usable sh in the {place} {name}",
	Failed:        "failed",
}

func (e *Error) Error() string {
	place := "container"
	if e.Kind == Sbx {
		place = "sandbox"
	}
	text := e.Command + ": " + strings.NewReplacer(
		"{program}", e.Program, "{place}", place, "{name}", e.Name).Replace(sentences[e.Code])
	if e.Limit > 0 {
		text += fmt.Sprintf(" (%s)", e.Limit)
	}
	if e.Output != "" {
		text += ": " + e.Output
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Localize returns the message's key in the catalogue and its arguments.
func (e *Error) Localize() (string, map[string]any) {
	id := "runtime." + string(e.Code)
	switch e.Code {
	case NotInstalled, Missing, NotCreated, Silent, NotRunning, NoShell:
		id += "." + string(e.Kind)
	}
	return id, map[string]any{
		"Name": e.Name, "Command": e.Command, "Output": e.Output, "Seconds": int(e.Limit.Round(time.Second) / time.Second),
	}
}

// question matches what a command says when it wanted an answer.
var question = regexp.MustCompile(`(?i)\[y/n\]|\(y/n\)|\(yes/no\)|approv|are you sure`)

// LeftoverError says what runs on in a container or a sandbox although it was
// to end.
type LeftoverError struct {
	Kind      Kind
	Name      string   // of the container or the sandbox
	Processes []string // process id and program, as the place itself has them
	Err       error    // why nothing could be done, if that is known

	guard *Guard
}

func (e *LeftoverError) Error() string {
	text := fmt.Sprintf("still running in %s: %s", e.Name, strings.Join(e.Processes, ", "))
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *LeftoverError) Unwrap() error { return e.Err }

// Localize returns the message's key in the catalogue and its arguments.
func (e *LeftoverError) Localize() (string, map[string]any) {
	return "runtime.Leftover." + string(e.Kind), map[string]any{
		"Name": e.Name, "Processes": strings.Join(e.Processes, ", "),
	}
}

// Leftover is an error about processes that were to end and still run, here
// ([*process.LeftoverError]) or in a container or a sandbox ([*LeftoverError]).
type Leftover interface {
	error
	// Kill tries again; it returns nil when none is left.
	Kill(ctx context.Context) error
}

var (
	_ Leftover = (*process.LeftoverError)(nil)
	_ Leftover = (*LeftoverError)(nil)
)
