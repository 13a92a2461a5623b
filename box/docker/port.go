package docker

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// PortTaken returns an error when somebody has the port on the host's
// loopback already. It names who, where that can be known.
func (c *Client) PortTaken(ctx context.Context, port int) error {
	if free(port) {
		return nil
	}
	return c.portTaken(ctx, port, nil)
}

func (c *Client) portTaken(ctx context.Context, port int, cause error) error {
	who := ""
	if holder := c.portHolder(ctx, port); holder != "" {
		who = " by " + holder
	}
	return &types.Error{
		Problem: fmt.Sprintf("the port %d of this computer is taken%s", port, who),
		Fix:     fmt.Sprintf("give the Observer another one: --port %d", nextFree(port)),
		Err:     cause,
	}
}

// portHolder names the container or the program that has a port, "" when it
// cannot be known.
func (c *Client) portHolder(ctx context.Context, port int) string {
	name := ""
	_ = c.run(ctx, 5*time.Second, func(line string) { name = line },
		"ps", "--filter", "publish="+strconv.Itoa(port), "--format", "{{.Names}}")
	if name != "" && !strings.Contains(name, " ") { // a warning is no name
		return "the container " + name
	}
	return program(ctx, port)
}

// free tells whether a port of the loopback can be listened on.
func free(port int) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}

func nextFree(port int) int {
	for next := port + 1; next < port+50 && next <= 65535; next++ {
		if free(next) {
			return next
		}
	}
	return 14317
}
