// Package app is what the window shows and does, without a window: channels,
// messages and their deliveries, the agents behind them, and the commands a
// person gives. The window, `sidekicks send` and the tests all work through
// [App]; nothing here draws, and nothing here imports a toolkit.
package app
