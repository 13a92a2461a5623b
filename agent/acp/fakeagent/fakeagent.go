// Package fakeagent is an agent for tests: a real process on real pipes that
// does what a script says, the worst things included. It shares no code with
// package acp, so that the two check each other.
//
// A test binary becomes the agent when it is started by [Command]; for that its
// TestMain calls [Main] first:
//
//	func TestMain(m *testing.M) {
//		fakeagent.Main()
//		os.Exit(m.Run())
//	}
//
// # Steps
//
// A script is made of steps, a word and its arguments:
//
//	text WORDS          say something; thought and user are the other kinds of chunks
//	line N              say N bytes in one line
//	update JSON         send the update as it is
//	tool ID STATUS …    announce or update a tool call, with a title
//	commands NAME …     send the list of commands
//	ask ID [OPT=KIND …] ask permission for tool call ID, and say "chose OPT" or "chose nothing"
//	read PATH [L N]     read a file through the client, and say its text (lines N from L)
//	write PATH WORDS    write a file through the client, and say "wrote"
//	call METHOD JSON    send a request, and say its result; errors are said as "error CODE: …"
//	notify METHOD JSON  send a notification
//	raw WORDS           write the line as it is: a banner, noise, a message made by hand
//	bytes N             write N bytes without an end of line
//	log WORDS, err N    write to stderr: a line, N bytes
//	echo                say "echo: " and the prompt
//	sleep DURATION      end the turn as cancelled when that comes meanwhile
//	wait                until cancelled, then go on; the turn ends as cancelled
//	hang                forever; nothing is answered
//	repeat N STEP       $i counts from 0
//	after DURATION STEP sleep, then the step
//	late STEP           once the answer is written
//	stop REASON         the stop reason of the turn
//	result JSON         the answer, instead of the usual one
//	error CODE WORDS    the answer, at once
//	exit CODE           end the process
//	ignore eof|term     live on when stdin ends, or on SIGTERM
//	deaf, mute          read nothing more; close stdout
//	spawn               start a child that ignores SIGTERM and keeps the streams; say "spawned PID"
//
// $sid, $id (of the request), $cwd, $pid, $prompt and the variables of the
// environment are replaced in arguments.
//
// A prompt may bring its own steps, behind the last "!" that starts a word and
// up to the end of that line: "hello !text hi; ask t1; text done", or name some
// that the script has: "!name".
package fakeagent

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Env is the variable that makes a test binary the agent; it holds the script.
const Env = "ACP_FAKE_AGENT"

// lifetime ends an agent that a failed test has left behind.
const lifetime = 5 * time.Minute

// A Script says how the agent behaves. The zero Script is a polite agent that
// repeats every prompt.
type Script struct {
	Start  []string            `json:"start,omitempty"`  // before anything is read
	On     map[string][]string `json:"on,omitempty"`     // by method, before its usual answer
	Prompt []string            `json:"prompt,omitempty"` // of a prompt without steps of its own; nil: echo
	Named  map[string][]string `json:"named,omitempty"`  // for prompts to choose from

	Load   bool `json:"load,omitempty"`   // offer session/load, which replays
	Resume bool `json:"resume,omitempty"` // offer session/resume
	List   bool `json:"list,omitempty"`   // offer session/list
	Close  bool `json:"close,omitempty"`  // offer session/close
	Auth   bool `json:"auth,omitempty"`   // refuse sessions until authenticate

	Modes   []string        `json:"modes,omitempty"`
	Models  []string        `json:"models,omitempty"`  // the legacy kind
	Options json.RawMessage `json:"options,omitempty"` // configOptions

	State     string `json:"state,omitempty"`     // file that keeps the sessions from one process to the next
	Record    string `json:"record,omitempty"`    // file to which every line received is appended
	StringIDs bool   `json:"stringIDs,omitempty"` // of the agent's requests
}

// Command returns how to start an agent with the given script: a program, its
// arguments, and what to add to the environment.
func Command(script Script) (path string, args, env []string) {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(script)
	if err != nil {
		panic(err)
	}
	// Without Main in TestMain the binary runs no test rather than all of them.
	return path, []string{"-test.run=^$"}, []string{Env + "=" + string(text)}
}

// Main runs the agent and does not return, when the process is one.
func Main() {
	text, is := os.LookupEnv(Env)
	if !is {
		return
	}
	time.AfterFunc(lifetime, func() { os.Exit(97) })
	var script Script
	if err := json.Unmarshal([]byte(text), &script); err != nil {
		fmt.Fprintln(os.Stderr, "fake agent: bad script:", err)
		os.Exit(98)
	}
	newAgent(script).run()
}
