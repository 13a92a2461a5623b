// Package screen keeps what a terminal shows: it reads the output of a program
// as xterm does, and says what a key, the mouse or a paste is to the program.
// It draws nothing and starts nothing.
//
// What a program could use to reach out of its terminal is ignored: the
// clipboard (OSC 52), reports of the title, changes of the window.
package screen
