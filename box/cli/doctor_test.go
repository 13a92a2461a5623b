//go:build unix

package cli

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/box/docker/dockertest"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// healthy writes what the doctor looks for into the home.
func (p place) healthy(t *testing.T) {
	t.Helper()
	for name, content := range map[string]string{".claude.json": "{}", ".gitconfig": "", ".claude/.credentials.json": "{}"} {
		file := filepath.Join(p.home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.own(t, filepath.Join(p.home, ".claude"))
	p.own(t, filepath.Join(p.home, ".claude.json"))
}

// freePort returns a port that nobody listens on, as text.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

var found = dockertest.Rule{Args: "run --rm", Out: "tmux tmux 3.3a\nclaude 2.1.332 (Claude Code)\nnode v22.1.0\nshared yes"}

func TestDoctorFindsNothing(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	p.healthy(t)
	dockertest.New(t, info, image, noBox, found)
	got := agentbox(t, "doctor", "--port", freePort(t))
	got.want(t, 0, "✓ engine      Docker 28.1, Debian, 2 processors, 8.0 GB of memory", "✓ claude      Claude Code 2.1.332", "✓ tmux        3.3a", "✓ login")
	if strings.ContainsAny(got.out, "!✗") {
		t.Errorf("it found something:\n%s", got.out)
	}
}

func TestDoctorAsJSON(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	p.healthy(t)
	dockertest.New(t, info, image, noBox, found)
	got := agentbox(t, "doctor", "--json", "--port", freePort(t))
	var report struct {
		OK     bool
		Checks []check
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil || got.code != 0 || !report.OK || len(report.Checks) < 10 || got.err != "" {
		t.Errorf("%v, %+v", err, got)
	}
	dockertest.New(t, noDaemon)
	got = agentbox(t, "doctor", "--json")
	if err := json.Unmarshal([]byte(got.out), &report); err != nil || got.code != 1 || report.OK || got.err != "" {
		t.Errorf("%v, %+v", err, got)
	}
}

// Whatever is wrong has a line with its cure.
func TestDoctorFinds(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, p place)
		rules []dockertest.Rule // before those of a healthy engine
		args  []string
		code  int
		want  []string
	}{
		"no daemon": {rules: []dockertest.Rule{noDaemon}, code: 1, want: []string{"✗ engine      the Docker engine does not run", "fix: start ", "✓ workspace"}},
		"no permission": {rules: []dockertest.Rule{{Code: 1, Out: "permission denied while trying to connect to the Docker daemon socket"}}, code: 1,
			want: []string{"✗ engine", "usermod"}},
		"rootless": {rules: []dockertest.Rule{{Args: "info", Out: `{"version":"28.1","os":"D","cpus":2,"memory":1,"security":["name=rootless"]}`}}, code: 1,
			want: []string{"✗ config", "rootless", "podman"}},
		"an engine elsewhere": {rules: []dockertest.Rule{{Args: "context inspect", Out: "ssh://bob@far"}}, code: 0, want: []string{"! engine", "ssh://bob@far"}},
		"too many processors": {args: []string{"--cpus", "9"}, code: 1, want: []string{"✗ config", "0.01 to 2"}},
		"a wrong flag":        {args: []string{"--memory", "x"}, code: 1, want: []string{"✗ config", "4g or 512m"}},
		"no image":            {rules: []dockertest.Rule{noImage}, code: 0, want: []string{"! image", "'agentbox up' builds it"}},
		"no tmux, no node": {rules: []dockertest.Rule{{Args: "run --rm", Out: "tmux sh: 1: tmux: not found\nclaude 2.1.332 (Claude Code)\nnode sh: node: not found\nshared yes"}}, code: 1,
			want: []string{"✗ tmux", "✗ node", "agentbox rebuild"}},
		"an old Claude Code":            {rules: []dockertest.Rule{{Args: "run --rm", Out: "tmux tmux 3.3a\nclaude 2.1.31 (Claude Code)\nnode v22\nshared yes"}}, code: 1, want: []string{"✗ claude", "has no teams"}},
		"an older Claude Code":          {rules: []dockertest.Rule{{Args: "run --rm", Out: "tmux tmux 3.3a\nclaude 2.1.180 (Claude Code)\nnode v22\nshared yes"}}, want: []string{"! claude", "garble"}},
		"a folder not shared":           {rules: []dockertest.Rule{{Args: "run --rm", Out: "tmux tmux 3.3a\nclaude 2.1.332 (Claude Code)\nnode v22", Code: 1}}, code: 1, want: []string{"✗ share", "TMPDIR"}},
		"an engine that mounts nothing": {rules: []dockertest.Rule{{Args: "run --rm", Out: "docker: Error response from daemon: Mounts denied", Code: 125}}, code: 1, want: []string{"✗ tools", "share it"}},
		"claude.json is a folder":       {spoil: func(t *testing.T, p place) { p.replace(t, p.home+"/.claude.json", "") }, code: 1, want: []string{"✗ claude.json", "rmdir"}},
		"claude.json is broken":         {spoil: func(t *testing.T, p place) { p.replace(t, p.home+"/.claude.json", "{") }, code: 1, want: []string{"✗ claude.json", "is not JSON"}},
		"claude is a file":              {spoil: func(t *testing.T, p place) { p.replace(t, p.home+"/.claude", "x") }, code: 1, want: []string{"✗ claude dir", "move it away"}},
		"no login":                      {spoil: func(t *testing.T, p place) { p.replace(t, p.home+"/.claude/.credentials.json", "") }, want: []string{"! login", "/login"}},
		"home as the workspace":         {spoil: func(t *testing.T, p place) { t.Chdir(p.home); p.own(t, p.home) }, args: []string{"--workspace", "."}, want: []string{"! workspace", "keys and passwords"}},
		"no certificates":               {spoil: func(t *testing.T, p place) { t.Setenv("AGENTBOX_CA_BUNDLE", "/gone.pem") }, code: 1, want: []string{"✗ config", "AGENTBOX_CA_BUNDLE"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			image := p.image(t)
			p.healthy(t)
			if test.spoil != nil {
				test.spoil(t, p)
			}
			dockertest.New(t, append(test.rules, info, image, noBox, found)...)
			args := append([]string{"doctor", "--port", freePort(t)}, test.args...)
			agentbox(t, args...).want(t, test.code, test.want...)
		})
	}
}

// replace puts a file in the place of another, or a folder when content is empty.
func (p place) replace(t *testing.T, name, content string) {
	t.Helper()
	err := os.RemoveAll(name)
	if err == nil && content == "" {
		err = os.Mkdir(name, 0o755)
	} else if err == nil {
		err = os.WriteFile(name, []byte(content), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.own(t, name)
}

func TestDoctorNamesWhoHasThePort(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	p.healthy(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	dockertest.New(t, info, image, noBox, found)
	agentbox(t, "doctor", "--port", port).want(t, 1, "✗ port", "cli.test (process "+strconv.Itoa(os.Getpid())+")", "--port ")
	dockertest.New(t, info, image, noBox, found, dockertest.Rule{Args: "ps", Out: "otel-collector"})
	agentbox(t, "doctor", "--port", port).want(t, 1, "✗ port", "by the container otel-collector")
}

func TestDoctorLooksIntoTheBox(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	p.healthy(t)
	observer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
		}
	}))
	defer observer.Close()
	_, port, _ := strings.Cut(observer.Listener.Addr().String(), ":")
	dockertest.New(t, info, image, p.box(t, "running", 0, "agentbox.yolo", "true", "agentbox.port", port), found)
	agentbox(t, "doctor").want(t, 0, "✓ box         agentbox runs for "+p.work+", port "+port+", yolo true",
		"✓ port        the Observer answers at http://localhost:"+port)
	dockertest.New(t, info, image, p.box(t, "running", 0, "agentbox.port", freePort(t)), found)
	agentbox(t, "doctor").want(t, 0, "! port        the Observer does not answer", "Ctrl-b 1")
	dockertest.New(t, info, image, p.box(t, "running", 0), found, dockertest.Rule{Args: "exec b1", Code: 1})
	agentbox(t, "doctor").want(t, 1, "✗ box         the agents cannot write /workspace, /home/agent/.claude, /home/agent/.claude.json")
	dockertest.New(t, info, image, p.box(t, "exited", 2), found)
	agentbox(t, "doctor", "--port", freePort(t)).want(t, 0, "! box         agentbox is not running (ended with exit code 2)")
}

func TestLogin(t *testing.T) {
	for name, test := range map[string]struct {
		system string
		env    string
		want   status
		fix    string
	}{
		"Mac":         {"darwin", "", fail, `security find-generic-password -s "Claude Code-credentials" -w`},
		"Mac, token":  {"darwin", "CLAUDE_CODE_OAUTH_TOKEN", ok, ""},
		"Linux":       {"linux", "", warn, "/login"},
		"Linux, key":  {"linux", "ANTHROPIC_API_KEY", ok, ""},
		"Mac, by key": {"darwin", "ANTHROPIC_AUTH_TOKEN", ok, ""},
	} {
		p := program{env: map[string]string{test.env: "secret"}, cfg: types.Config{ClaudeDir: t.TempDir()}}
		var list checklist
		p.checkLogin(&list, test.system)
		if len(list) != 1 || list[0].Status != test.want || !strings.Contains(list[0].Fix, test.fix) || strings.Contains(list[0].Detail, "secret") {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func TestClaudeVersion(t *testing.T) {
	for text, want := range map[string][3]int{
		"2.1.332 (Claude Code)": {2, 1, 332}, "2.1.32": {2, 1, 32}, "": {}, "sh: claude: not found": {}, "2.1.x": {}, "1.2": {},
	} {
		if got := claudeVersion(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if !atLeast([3]int{2, 1, 32}, [3]int{2, 1, 32}) || atLeast([3]int{1, 9, 99}, [3]int{2, 1, 32}) || !atLeast([3]int{3, 0, 0}, [3]int{2, 1, 32}) {
		t.Error("versions are not in order")
	}
}
