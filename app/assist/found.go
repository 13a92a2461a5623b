package assist

import "git.rickub.com/bots-garden/sidekicks/runtime/process"

// A Candidate is a program of this computer that speaks ACP.
type Candidate struct {
	Program   string // as the field takes it: "gemini", "docker agent"
	Title     string // its own name: "Gemini CLI"
	Arguments string // that make it speak ACP
	File      string // the file that was found
	NeedsFile bool   // it is nothing without an agent's configuration file
}

// Found looks for the programs that are known to speak ACP; it starts none.
func Found(path process.Path) []Candidate { return nil }

// Known returns what is known of a program, found or not: its arguments.
func Known(program string) (Candidate, bool) { return Candidate{}, false }
