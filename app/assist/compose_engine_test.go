//go:build unix

package assist

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// The names are those of docker compose, for the same files.
func TestComposeNamesAreDocker(t *testing.T) {
	enginetest.Compose(t)
	for name, test := range composeCases {
		t.Run(name, func(t *testing.T) {
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			path := writeProject(t, test.folder, test.file, test.files)
			c, err := ReadCompose(context.Background(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("docker", "compose", "-f", path, "--profile", "*", "config", "--no-env-resolution", "--format", "json").Output()
			if err != nil {
				t.Fatal(err, string(out))
			}
			var said struct {
				Name     string
				Services map[string]struct {
					ContainerName string `json:"container_name"`
				}
			}
			if err := json.Unmarshal(out, &said); err != nil {
				t.Fatal(err)
			}
			if c.Project != said.Name || len(c.Services) != len(said.Services) {
				t.Errorf("got %s with %d services, docker says %s with %d", c.Project, len(c.Services), said.Name, len(said.Services))
			}
			for _, s := range c.Services {
				service, found := said.Services[s.Name]
				if !found || service.ContainerName != "" && service.ContainerName != s.Container {
					t.Errorf("%s is in %s, docker says %q", s.Name, s.Container, service.ContainerName)
				}
			}
		})
	}
}
