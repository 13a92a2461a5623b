// Agentbox runs a team of Claude Code agents in one disposable Docker
// container. It is "sidekicks box" for machines without a display.
package main

import (
	"os"

	"git.rickub.com/bots-garden/sidekicks/box/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:])) }
