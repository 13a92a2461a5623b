package types

import "fmt"

// Error says what is wrong and what to do about it.
type Error struct {
	Problem string
	Fix     string
	Usage   bool  // the command line or the environment is wrong
	Err     error // what it comes from, if anything
}

func (e *Error) Error() string {
	if e.Fix == "" {
		return e.Problem
	}
	return e.Problem + "\n  fix: " + e.Fix
}

func (e *Error) Unwrap() error { return e.Err }

// Misused is the [*Error] of a wrong flag or variable.
func Misused(fix, problem string, args ...any) *Error {
	return &Error{Problem: fmt.Sprintf(problem, args...), Fix: fix, Usage: true}
}
