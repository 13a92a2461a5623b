// Package terminal is the widget that shows a command on a pseudo terminal:
// package screen says what is to be seen, this one draws it, and turns keys and
// the mouse into what the command reads.
//
// It knows nothing of agents, nor where the command runs: it is handed a
// [Program] once its size is known.
package terminal
