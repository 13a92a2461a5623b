package docker

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// known are the complaints of docker that have a cure that agentbox can name.
// The first one whose text is in the output is taken.
var known = []struct {
	texts        []string
	problem, fix string
}{
	{
		[]string{"permission denied while trying to connect", "dial unix /var/run/docker.sock: connect: permission denied"},
		"you may not use the Docker engine",
		"add yourself to its group with 'sudo usermod -aG docker $USER', then log out and in again",
	},
	{
		[]string{"cannot connect to the docker daemon", "is the docker daemon running", "error during connect", "cannot connect to podman", "docker desktop is unable to start", "the docker client must be run with elevated privileges"},
		"the Docker engine does not run",
		"", // startEngine
	},
	{
		[]string{"could not select device driver", "nvidia-container", "unresolvable CDI devices"},
		"this engine gives no GPU to containers",
		"install the NVIDIA Container Toolkit (Linux only) and check with 'docker run --rm --gpus all ubuntu nvidia-smi', or leave --gpus out",
	},
	{
		[]string{"range of cpus is from"},
		"the engine has fewer processors than asked for",
		"give --cpus (or CPUS) a value in that range",
	},
	{
		[]string{"minimum memory limit", `for "-m, --memory"`, "invalid size"},
		"the engine does not take this memory limit",
		"give --memory (or MEM) a size such as 4g or 512m",
	},
	{
		[]string{"bind source path does not exist", "mounts denied", "is not shared from the host", "statfs "},
		"the engine does not see a folder of this computer",
		"share it with the engine: Docker Desktop in Settings > Resources > File sharing (on Linux it sees your home alone: set TMPDIR to a folder there), colima and lima in 'mounts' of their configuration; Docker from snap sees no hidden folders, and an engine on another computer sees none of yours",
	},
	{
		[]string{"the container name \"", "name is already in use"},
		"another agentbox made the box at the same moment",
		"run agentbox again",
	},
	{
		[]string{"self-signed certificate", "self signed certificate", "unable to get local issuer certificate", "certificate signed by unknown authority", "certificate verify failed"},
		"something between the engine and the internet, such as a company's proxy, answers with a certificate of its own",
		"give its certificates with AGENTBOX_CA_BUNDLE=/path/to/bundle.pem",
	},
	{
		[]string{"temporary failure resolving", "could not resolve", "eai_again", "enotfound", "network is unreachable"},
		"the build does not reach the internet",
		"check the connection; where only the host's own network works, use --network host (or DOCKER_NETWORK=host)",
	},
	{
		[]string{"no space left on device"},
		"the disk of the engine is full",
		"free some: 'docker system df' tells what takes it, 'docker image prune' and 'docker builder prune' remove what nothing uses",
	},
	{
		[]string{"must be fully qualified", "pull access denied", "manifest unknown", "manifest for", "repository does not exist"},
		"the base image cannot be had",
		"check BASE_IMAGE; left out, it is that of node:22-bookworm-slim",
	},
}

// explain turns what process.Run says into a [*types.Error] that names the cure.
func explain(err error) error {
	var start *process.StartError
	var failed *process.RunError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &start):
		return &types.Error{
			Problem: fmt.Sprintf("the docker command cannot be run: %v", start),
			Fix:     "install Docker (https://docs.docker.com/get-docker/), or add its folder to PATH",
			Err:     err,
		}
	case !errors.As(err, &failed):
		return err
	case errors.Is(failed.Err, context.DeadlineExceeded):
		return &types.Error{
			Problem: "docker did not answer in time: " + failed.Command,
			Fix:     "see with 'docker version' whether the engine answers, and restart it if it does not",
			Err:     err,
		}
	case failed.Err != nil:
		return &types.Error{Problem: "interrupted: " + failed.Command, Err: err}
	}
	said := strings.TrimSpace(strings.Join(failed.Output, "\n"))
	for _, k := range known {
		if contains(failed, k.texts...) {
			fix := k.fix
			if fix == "" {
				fix = startEngine(runtime.GOOS)
			}
			return &types.Error{Problem: k.problem + "\n" + indent(said), Fix: fix, Err: err}
		}
	}
	return &types.Error{
		Problem: fmt.Sprintf("docker failed (%s): %s\n%s", failed.State, failed.Command, indent(said)),
		Fix:     "'agentbox doctor' checks the engine and what the box needs",
		Err:     err,
	}
}

func startEngine(system string) string {
	if system == "linux" {
		return "start it: 'sudo systemctl start docker', or Docker Desktop; 'docker context ls' tells which engine is asked"
	}
	return "start Docker Desktop (or 'colima start'); 'docker context ls' tells which engine is asked"
}

// busyPort finds the texts of the engines for a port of the host that somebody else has.
var busyPort = regexp.MustCompile(`(?i)address already in use|port is already allocated|ports are not available|failed to bind (host )?port`)

func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}
