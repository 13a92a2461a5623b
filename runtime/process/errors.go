package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Reason says why a command could not be started.
type Reason string

const (
	NotFound      Reason = "NotFound"      // no such program
	NotExecutable Reason = "NotExecutable" // a file that may not be run
	NoInterpreter Reason = "NoInterpreter" // a script whose "#!" program is missing
	WrongSystem   Reason = "WrongSystem"   // not a program of this system or processor
	NoFolder      Reason = "NoFolder"      // the folder to run in is missing
	Refused       Reason = "Refused"       // the system said no for another reason
)

// StartError says why a command could not be started.
type StartError struct {
	Reason      Reason
	Program     string // as it was given
	Tried       string // the file, or the folders of the PATH, that were tried
	Interpreter string // of a script, with NoInterpreter
	Dir         string // the folder it was to run in
	Err         error  // what the system said, if it was asked
}

func (e *StartError) Error() string {
	switch e.Reason {
	case NotFound:
		return fmt.Sprintf("start %s: not found in %s", e.Program, e.Tried)
	case NotExecutable:
		return fmt.Sprintf("start %s: %s is not executable", e.Program, e.Tried)
	case NoInterpreter:
		return fmt.Sprintf("start %s: %s is a script for %q, which is missing", e.Program, e.Tried, e.Interpreter)
	case WrongSystem:
		return fmt.Sprintf("start %s: %s is not a program of this system: %v", e.Program, e.Tried, e.Err)
	case NoFolder:
		return fmt.Sprintf("start %s: folder %s is missing", e.Program, e.Dir)
	default:
		return fmt.Sprintf("start %s: %v", e.Program, e.Err)
	}
}

func (e *StartError) Unwrap() error { return e.Err }

// Localize returns the message's key in the catalogue and its arguments.
func (e *StartError) Localize() (string, map[string]any) {
	return "process." + string(e.Reason), map[string]any{
		"Program": e.Program, "Tried": e.Tried, "Interpreter": e.Interpreter, "Dir": e.Dir, "Detail": detail(e.Err),
	}
}

// RunError says how a command of [Run] failed.
type RunError struct {
	Command string    // the command line, without the values of variables
	State   ExitState // how it ended
	Output  []string  // the last lines it printed
	Err     error     // the context's error when it was stopped for that
}

func (e *RunError) Error() string {
	text := fmt.Sprintf("run %s: %s", e.Command, e.State)
	if e.Err != nil {
		text = fmt.Sprintf("run %s: %v", e.Command, e.Err)
	}
	if len(e.Output) > 0 {
		text += ": " + strings.Join(e.Output, "\n")
	}
	return text
}

func (e *RunError) Unwrap() error { return e.Err }

// Localize returns the message's key in the catalogue and its arguments.
func (e *RunError) Localize() (string, map[string]any) {
	id := "process.RunFailed"
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		id = "process.RunTooLong"
	case e.Err != nil:
		id = "process.RunCancelled"
	case e.State.Signal != "":
		id = "process.RunKilled"
	}
	return id, map[string]any{
		"Command": e.Command, "Code": e.State.Code, "Signal": e.State.Signal, "Output": strings.Join(e.Output, "\n"),
	}
}

// LeftoverError says which processes could not be ended.
type LeftoverError struct {
	Program string
	PIDs    []int

	members []member
}

// Kill tries again; it returns nil when none of them is left.
func (e *LeftoverError) Kill(ctx context.Context) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	limit := time.After(killWait)
	for {
		left := stillLiving(e.members)
		if len(left) == 0 {
			return nil
		}
		for _, m := range left {
			if p, err := os.FindProcess(m.pid); err == nil {
				_ = p.Kill()
			}
		}
		select {
		case <-tick.C:
			continue
		case <-limit:
		case <-ctx.Done():
		}
		return &LeftoverError{Program: e.Program, PIDs: pids(left), members: left}
	}
}

func (e *LeftoverError) Error() string {
	return fmt.Sprintf("end %s: still running after being killed: %v", e.Program, e.PIDs)
}

// Localize returns the message's key in the catalogue and its arguments.
func (e *LeftoverError) Localize() (string, map[string]any) {
	return "process.Leftover", map[string]any{"Program": e.Program, "PIDs": strings.Trim(fmt.Sprint(e.PIDs), "[]")}
}

// PathError says why the PATH of the login shell is not known.
type PathError struct {
	Shell string
	Err   error
}

func (e *PathError) Error() string {
	return fmt.Sprintf("read the PATH of the login shell %s: %v", e.Shell, e.Err)
}

func (e *PathError) Unwrap() error { return e.Err }

// Localize returns the message's key in the catalogue and its arguments.
func (e *PathError) Localize() (string, map[string]any) {
	id := "process.ShellFailed"
	if errors.Is(e.Err, context.DeadlineExceeded) {
		id = "process.ShellTooSlow"
	}
	return id, map[string]any{"Shell": e.Shell, "Seconds": int(loginLimit.Seconds()), "Detail": detail(e.Err)}
}

func detail(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// ExitState tells how a child ended.
type ExitState struct {
	Running bool   // it has not ended
	Code    int    // its exit code; -1 when there is none
	Signal  string // the signal that ended it, such as SIGKILL; "" when none did
}

func (s ExitState) String() string {
	switch {
	case s.Running:
		return "running"
	case s.Signal != "":
		return "ended by " + s.Signal
	default:
		return fmt.Sprintf("exit code %d", s.Code)
	}
}

// Localize returns the text's key in the catalogue and its arguments.
func (s ExitState) Localize() (string, map[string]any) {
	args := map[string]any{"Code": s.Code, "Signal": s.Signal}
	switch {
	case s.Running:
		return "process.Running", args
	case s.Signal != "":
		return "process.EndedBySignal", args
	default:
		return "process.ExitCode", args
	}
}

func exitState(s *os.ProcessState) ExitState {
	if s == nil { // the system lost track of it
		return ExitState{Code: -1}
	}
	return ExitState{Code: s.ExitCode(), Signal: signalName(s)}
}
