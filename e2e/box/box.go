// Package box tests agentbox with a real Docker engine: its commands with a
// stand-in for Claude Code, on terminals, and a team of the real one that asks
// a fake model.
package box
