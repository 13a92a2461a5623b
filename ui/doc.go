// Package ui draws the window: channels and agents, the conversation, the
// composer, an agent's panel. It asks package app for everything it shows and
// tells it everything the person does; it decides nothing and keeps no truth,
// so that a window opened anew looks the same.
//
// The window's goroutine is the only one that touches a widget. What other
// goroutines have to say arrives through the bridge.
package ui
