package agent

import (
	"fmt"
	"strings"
	"time"
)

// Problem is an error of an agent that a person sees: a text of the catalogue
// ("agent.<Code>") with its arguments, and the cause.
type Problem struct {
	Code  string
	Agent string
	Args  map[string]any
	Err   error
}

// Codes of a Problem.
const (
	NotStarted     = "NotStarted"     // the program could not be started
	NoAnswer       = "NoAnswer"       // no answer to `initialize` in time
	NotACP         = "NotACP"         // it ended or talked nonsense instead of answering `initialize`
	BadVersion     = "BadVersion"     // another version of the protocol
	NoSession      = "NoSession"      // no session could be opened
	SessionTimeout = "SessionTimeout" // no answer to `session/new` in time
	SignIn         = "SignIn"         // it wants a sign-in first
	Exited         = "Exited"         // the process ended by itself
	Unresponsive   = "Unresponsive"   // it did not end its turn after Stop
	Refused        = "Refused"        // it answered with an error
	Idle           = "Idle"           // stopped: not used for a while
	MadeRoom       = "MadeRoom"       // stopped: another agent needed the place
	StoppedByHand  = "StoppedByHand"  // stopped: the person said so
	Closed         = "Closed"         // Sidekicks is quitting
	Removed        = "Removed"        // stopped: no longer in the configuration
	OverLimit      = "OverLimit"      // stopped: fewer agents may run now
	UnknownAgent   = "UnknownAgent"   // not in the configuration
	AfterStopError = "AfterStopError" // the afterStop command failed
)

func (p *Problem) Error() string {
	text := "agent " + p.Agent + ": " + english[p.Code]
	for k, v := range p.Args {
		text = strings.ReplaceAll(text, "{{."+k+"}}", fmt.Sprint(v))
	}
	if p.Err != nil {
		text += ": " + p.Err.Error()
	}
	return text
}

func (p *Problem) Unwrap() error { return p.Err }

// Localize gives the catalogue's key and arguments; the cause, if any, is
// the argument Cause.
func (p *Problem) Localize() (string, map[string]any) {
	args := map[string]any{"Agent": p.Agent}
	for k, v := range p.Args {
		args[k] = v
	}
	if p.Err != nil {
		args["Cause"] = p.Err
	}
	return "agent." + p.Code, args
}

// english is what logs say.
var english = map[string]string{
	NotStarted:     "could not be started",
	NoAnswer:       "did not answer initialize within {{.Seconds}} s",
	NotACP:         "did not answer initialize",
	BadVersion:     "speaks version {{.Version}} of ACP",
	NoSession:      "could not open a session",
	SessionTimeout: "did not answer session/new within {{.Seconds}} s",
	SignIn:         "wants a sign-in",
	Exited:         "ended ({{.Exit}})",
	Unresponsive:   "did not end its turn within {{.Seconds}} s of Stop",
	Refused:        "answered with an error",
	Idle:           "stopped after {{.Minutes}} min without use",
	MadeRoom:       "stopped to make room for {{.Other}}",
	StoppedByHand:  "stopped",
	Closed:         "stopped, Sidekicks is quitting",
	Removed:        "stopped, it is no longer in the configuration",
	OverLimit:      "stopped, {{.Limit}} agents may run at the same time",
	UnknownAgent:   "is not in the configuration",
	AfterStopError: "afterStop failed",
}

func problem(agent, code string, err error, args ...any) *Problem {
	p := &Problem{Code: code, Agent: agent, Err: err}
	if len(args) > 0 {
		p.Args = map[string]any{}
		for i := 0; i+1 < len(args); i += 2 {
			p.Args[args[i].(string)] = args[i+1]
		}
	}
	return p
}

func seconds(d time.Duration) int { return int(d.Round(time.Second) / time.Second) }
