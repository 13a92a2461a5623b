package docker

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Engine is what runs containers.
type Engine struct {
	Version  string
	OS       string // such as "Docker Desktop" or that of the host
	CPUs     int
	Memory   int64 // bytes
	Podman   bool
	Rootless bool // the engine is a user's: to the box, that user is root
	SELinux  bool
}

const (
	dockerInfo = `{"version":{{json .ServerVersion}},"os":{{json .OperatingSystem}},"cpus":{{json .NCPU}},"memory":{{json .MemTotal}},"security":{{json .SecurityOptions}}}`
	podmanInfo = `{"version":{{json .Version.Version}},"os":{{json .Host.OS}},"cpus":{{json .Host.CPUs}},"memory":{{json .Host.MemTotal}},"rootless":{{json .Host.Security.Rootless}},"selinux":{{json .Host.Security.SELinuxEnabled}}}`
)

// Engine tells what engine there is.
func (c *Client) Engine(ctx context.Context) (Engine, error) {
	var answer struct {
		Version, OS       string
		CPUs              int
		Memory            int64
		Security          []string
		Rootless, SELinux bool
	}
	err := c.ask(ctx, &answer, "info", "--format", dockerInfo)
	podman := false
	var failed *process.RunError
	if errors.As(err, &failed) && contains(failed, "can't evaluate field") {
		podman = true
		err = c.ask(ctx, &answer, "info", "--format", podmanInfo)
	}
	if err != nil {
		return Engine{}, err
	}
	if answer.Version == "" { // some versions of docker tell about themselves when nobody answers
		return Engine{}, &types.Error{Problem: "the Docker engine does not run", Fix: startEngine("")}
	}
	e := Engine{
		Version: answer.Version, OS: answer.OS, CPUs: answer.CPUs, Memory: answer.Memory,
		Podman: podman, Rootless: answer.Rootless, SELinux: answer.SELinux,
	}
	for _, option := range answer.Security {
		e.Rootless = e.Rootless || strings.Contains(option, "name=rootless")
		e.SELinux = e.SELinux || strings.Contains(option, "name=selinux")
	}
	return e, nil
}

// Fit returns the configuration as this engine can have it: the default of
// the processors is no more than there are. What was asked for is not changed,
// it is an error when it cannot be.
func (e Engine) Fit(cfg types.Config) (types.Config, error) {
	if e.Rootless && !e.Podman {
		return cfg, &types.Error{
			Problem: "the Docker engine is rootless: in its containers your files belong to root, and the box's user, who is not root, cannot write them",
			Fix:     "use the engine of the system ('docker context use default'), or podman",
		}
	}
	wanted, err := strconv.ParseFloat(cfg.CPUs, 64)
	if err != nil || e.CPUs == 0 || wanted <= float64(e.CPUs) {
		return cfg, nil
	}
	if cfg.Given["cpus"] {
		return cfg, types.Misused("give --cpus (or CPUS) a value from 0.01 to "+strconv.Itoa(e.CPUs),
			"%s processors were asked for, and the engine has %d", cfg.CPUs, e.CPUs)
	}
	cfg.CPUs = strconv.Itoa(e.CPUs)
	return cfg, nil
}

// Host returns where the engine listens, as docker's context says:
// unix:///var/run/docker.sock, ssh://user@host.
func (c *Client) Host(ctx context.Context) (string, error) {
	var host string
	err := c.run(ctx, types.AskTime, func(line string) { host = line },
		"context", "inspect", "--format", "{{.Endpoints.docker.Host}}")
	return host, err
}
