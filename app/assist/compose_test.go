package assist

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// composeCases are Compose projects: the files of a folder, and the names of
// the containers.
var composeCases = map[string]struct {
	folder string
	file   string // "" is compose.yaml
	files  map[string]string
	env    map[string]string
	want   map[string]string // by service
}{
	"folder": {
		folder: "Mon Projet.v2",
		files:  map[string]string{"compose.yaml": "services:\n  scout: {image: busybox}\n  db: {image: busybox}\n"},
		want:   map[string]string{"scout": "monprojetv2-scout-1", "db": "monprojetv2-db-1"},
	},
	"name": {
		files: map[string]string{"compose.yaml": "name: ${TEAM:-team}\nservices:\n  scout: {image: busybox, container_name: \"${COMPOSE_PROJECT_NAME}_scout\"}\n"},
		want:  map[string]string{"scout": "team_scout"},
	},
	"name with an accent": {
		files: map[string]string{"compose.yaml": "name: ${TEAM:-équipe}\nservices:\n  scout: {image: busybox, container_name: \"${COMPOSE_PROJECT_NAME}_scout\"}\n"},
		want:  map[string]string{"scout": "quipe_scout"},
	},
	"name of the environment": {
		files: map[string]string{"compose.yaml": "name: ${TEAM:-team}\nservices:\n  scout: {image: busybox}\n"},
		env:   map[string]string{"TEAM": "blue"},
		want:  map[string]string{"scout": "blue-scout-1"},
	},
	".env": {
		files: map[string]string{"compose.yaml": "name: no\nservices:\n  scout: {image: busybox, scale: 2}\n", ".env": "COMPOSE_PROJECT_NAME=mine\n"},
		want:  map[string]string{"scout": "mine-scout-1"},
	},
	"underscores": {
		files: map[string]string{"compose.yaml": "name: team\nservices:\n  scout: {image: busybox}\n", ".env": "COMPOSE_COMPATIBILITY=true\n"},
		want:  map[string]string{"scout": "team_scout_1"},
	},
	"include, env_file, profiles": {
		file: "docker-compose.dev.yml",
		files: map[string]string{
			"docker-compose.dev.yml": "version: '3'\nname: team\ninclude: [other/compose.yaml]\nservices:\n  web: {image: busybox, env_file: missing.env}\n",
			"other/compose.yaml":     "services:\n  scout: {image: busybox, profiles: [dev, test], depends_on: [db]}\n  db: {image: busybox, profiles: [data]}\n",
		},
		want: map[string]string{"web": "team-web-1", "scout": "team-scout-1", "db": "team-db-1"},
	},
	"variables that no name needs": {
		files: map[string]string{"compose.yaml": "name: team\nservices:\n  scout: {image: \"busybox:${TAG}\", environment: {A: $A}, ports: [\"${PORT:-80}:80\"]}\n", ".env": "TAG=1\n"},
		want:  map[string]string{"scout": "team-scout-1"},
	},
}

// writeProject writes the files of a case and returns the path of its file.
func writeProject(t *testing.T, folder, file string, files map[string]string) string {
	t.Helper()
	base := filepath.Join(t.TempDir(), "team")
	if folder != "" {
		base = filepath.Join(filepath.Dir(base), folder)
	}
	for name, text := range files {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if file == "" {
		file = "compose.yaml"
	}
	return filepath.Join(base, file)
}

func TestReadCompose(t *testing.T) {
	for name, test := range composeCases {
		t.Run(name, func(t *testing.T) {
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			c, err := ReadCompose(context.Background(), writeProject(t, test.folder, test.file, test.files), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, s := range c.Services {
				got[s.Name] = s.Container
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestComposeProfilesAndWarnings(t *testing.T) {
	test := composeCases["include, env_file, profiles"]
	c, err := ReadCompose(context.Background(), writeProject(t, test.folder, test.file, test.files), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Services, func(s Service) bool { return s.Name == "scout" })
	if got := c.Services[i].Profiles; !slices.Equal(got, []string{"dev", "data"}) {
		t.Errorf("profiles %v", got)
	}
	if len(c.Warnings) != 1 || !strings.Contains(i18n.For("en").Error(c.Warnings[0]), "missing.env") {
		t.Errorf("warnings %v", c.Warnings)
	}
	f := Form{Program: "mm"}.WithService(c, c.Services[i])
	want := Form{
		Name: "scout", Where: config.Container, Program: "mm", Container: "team-scout-1", LifecycleFolder: filepath.Dir(c.Path),
		Create: "docker compose -f docker-compose.dev.yml --profile dev --profile data up -d --wait scout",
		Stop:   "docker compose -f docker-compose.dev.yml --profile dev --profile data stop scout",
		Remove: "docker compose -f docker-compose.dev.yml --profile dev --profile data rm --stop --force scout",
	}
	f.Env = nil
	if !sameForm(f, want) {
		t.Errorf("got %+v", f)
	}
}

func sameForm(a, b Form) bool {
	equal := maps.Equal(a.Env, b.Env)
	a.Env, b.Env = nil, nil
	one, _ := a.Entry()
	other, _ := b.Entry()
	return equal && a.Name == b.Name && one.Command == other.Command && slices.Equal(one.Args, other.Args) &&
		one.Runtime.Container == other.Runtime.Container && one.Runtime.Lifecycle.Folder == other.Runtime.Lifecycle.Folder &&
		a.Create == b.Create && a.Stop == b.Stop && a.Remove == b.Remove && a.Workspace == b.Workspace
}

// The example of the specification, to the letter.
func TestComposeLines(t *testing.T) {
	path := writeProject(t, "", "", map[string]string{"compose.yaml": "services:\n  scout: {image: my-image}\n"})
	c, err := ReadCompose(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Prepare(writeFile(t, "c.yaml", "version: 1\nagents: []\n"), Form{Program: "mm", Arguments: "-acp"}.WithService(c, c.Services[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := `  - name: scout
    command: docker
    args: [exec, -i, team-scout-1, mm, -acp]
    runtime:
      type: container
      container: team-scout-1
      lifecycle:
        folder: ` + filepath.Dir(path) + `
        create: [docker, compose, -f, compose.yaml, up, -d, --wait, scout]
        stop: [docker, compose, -f, compose.yaml, stop, scout]
        remove: [docker, compose, -f, compose.yaml, rm, --stop, --force, scout]`
	if got := strings.Join(plan.Change.Lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A variable without a value is asked for, and its value given to the
// commands too.
func TestComposeAsks(t *testing.T) {
	path := writeProject(t, "", "", map[string]string{"compose.yaml": `name: ${TEAM}
services:
  scout:
    image: busybox
    container_name: ${TEAM}_${ROLE:-scout}_${A:-${WHO}}
    environment: {KEY: "${API_KEY:?from your account}", OTHER: $OTHER, PRICE: $$5}
`})
	c, err := ReadCompose(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{{Name: "TEAM"}, {Name: "WHO"}, {Name: "API_KEY", Hint: "from your account"}}
	if !slices.Equal(c.Unresolved, want) || len(c.Services) > 0 {
		t.Errorf("got %+v", c)
	}
	values := map[string]string{"TEAM": "blue", "WHO": "x", "API_KEY": "k"}
	c, err = ReadCompose(context.Background(), path, values)
	if err != nil || len(c.Unresolved) > 0 || len(c.Services) != 1 || c.Services[0].Container != "blue_scout_x" {
		t.Fatalf("got %+v, %v", c, err)
	}
	if f := (Form{}).WithService(c, c.Services[0]); !maps.Equal(f.Env, values) {
		t.Errorf("the commands get %v", f.Env)
	}
}

// A folder at the same path inside is where the agent may work and have its
// file.
func TestComposeFolders(t *testing.T) {
	shared := t.TempDir()
	path := writeProject(t, "", "", map[string]string{"compose.yaml": "services:\n  scout: {image: b, volumes: ['.:/work', '" + shared + ":" + shared + "']}\n  db: {image: b}\n"})
	c, err := ReadCompose(context.Background(), path, nil)
	if err != nil || len(c.Services) != 2 {
		t.Fatalf("got %+v, %v", c, err)
	}
	db, scout := c.Services[0], c.Services[1]
	if f := (Form{}).WithService(c, scout); f.Workspace != shared {
		t.Errorf("the folder is %q", f.Workspace)
	}
	if err := scout.Sees(filepath.Join(shared, "a", "agent.yaml")); err != nil {
		t.Error(err)
	}
	if scout.Sees(path) == nil || db.Sees(filepath.Join(shared, "agent.yaml")) == nil {
		t.Error("a file is seen that is not there")
	}
	if told := i18n.For("en").Error(scout.Sees(path)); !strings.Contains(told, filepath.Dir(path)) {
		t.Errorf("told %q", told)
	}
}

func TestComposeRefuses(t *testing.T) {
	for name, test := range map[string]struct{ file, told string }{
		"no YAML":         {"services: [\n", "compose.yaml"},
		"no service":      {"name: team\n", "service"},
		"missing include": {"include: [nowhere.yaml]\nservices:\n  a: {image: b}\n", "nowhere.yaml"},
		"unknown key":     {"services:\n  a: {image: b, imgae: c}\n", "imgae"},
		"bad name":        {"name: team\nservices:\n  a: {image: b, container_name: '{}'}\n", "container_name"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := ReadCompose(context.Background(), writeProject(t, "", "", map[string]string{"compose.yaml": test.file}), nil)
			if told := i18n.For("fr").Error(err); err == nil || !strings.Contains(told, test.told) {
				t.Errorf("got %+v, told %q", c, told)
			}
		})
	}
	if _, err := ReadCompose(context.Background(), filepath.Join(t.TempDir(), "compose.yaml"), nil); err == nil {
		t.Error("read a file that does not exist")
	}
}

func TestReadSandbox(t *testing.T) {
	t.Setenv("WHO", "milo")
	for name, test := range map[string]struct {
		name, text, sandbox, create, remove string
		warnings                            int
	}{
		"usual":    {"sbxenv.yaml", "schemaVersion: \"1\"\nname: milo-sbx\n", "milo-sbx", "sbx env create --force", "sbx env rm --force", 0},
		"other":    {"dev.yaml", "name: ${WHO}-${ROLE:-sbx}\n", "milo-sbx", "sbx env create dev.yaml --force", "sbx env rm dev.yaml --force", 0},
		"old":      {".sbxenv.yaml", "name: milo-sbx\n", "milo-sbx", "sbx env create .sbxenv.yaml --force", "sbx env rm .sbxenv.yaml --force", 1},
		"no name":  {"sbxenv.yaml", "agent: claude\n", "", "sbx env create --force", "sbx env rm --force", 1},
		"no value": {"sbxenv.yaml", "name: ${NOBODY_SET_THIS}\n", "", "sbx env create --force", "sbx env rm --force", 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, test.name, test.text)
			s, err := ReadSandbox(path)
			if err != nil {
				t.Fatal(err)
			}
			f := Form{}.WithSandbox(s)
			stop := ""
			if test.sandbox != "" {
				stop = "sbx stop " + test.sandbox
			}
			if f.Where != config.Sbx || f.Sandbox != test.sandbox || f.Create != test.create || f.Remove != test.remove || f.Stop != stop ||
				f.LifecycleFolder != filepath.Dir(path) || f.Workspace != filepath.Dir(path) {
				t.Errorf("got %+v", f)
			}
			if len(s.Warnings) != test.warnings {
				t.Errorf("warnings %v", s.Warnings)
			}
			for _, warning := range s.Warnings {
				if told := i18n.For("en").Error(warning); strings.Contains(told, "assist.") || strings.Contains(told, "no value>") {
					t.Errorf("told %q", told)
				}
			}
		})
	}
	if _, err := ReadSandbox(writeFile(t, "sbxenv.yaml", "name: [\n")); err == nil {
		t.Error("read what is no YAML")
	}
}

func TestIdentify(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Kind
	}{
		{"compose.yaml", "", ComposeFile},
		{"docker-compose.dev.yml", "", ComposeFile},
		{"stack.yml", "services:\n  a: {image: b}\n", ComposeFile},
		{"sbxenv.yaml", "", SandboxConfig},
		{".sbxenv.yaml", "", SandboxConfig},
		{"dev.yaml", "schemaVersion: \"1\"\nagent: claude\n", SandboxConfig},
		{"team.yaml", "version: 1\nagents: []\n", Configuration},
		{"agent.yaml", "version: \"2\"\nagents:\n  root: {model: x}\n", AgentFile},
		{"mm.yaml", "model: qwen\n", AgentFile},
		{"broken.yaml", "a: [\n", AgentFile},
		{"agent.toml", "a = 1\n", AgentFile},
		{"picture.yaml", "\x89PNG\x00", Unknown},
		{"notes.md", "# notes\n", Unknown},
		{"big.yaml", strings.Repeat("# \n", maxFile/3+1), Unknown},
	} {
		if got, err := Identify(writeFile(t, test.name, test.text)); err != nil || got != test.want {
			t.Errorf("%s is %s, %v; want %s", test.name, got, err, test.want)
		}
	}
	if got, err := Identify(t.TempDir()); err != nil || got != Unknown {
		t.Errorf("a folder is %s, %v", got, err)
	}
	if _, err := Identify(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
