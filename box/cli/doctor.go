package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/docker"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// status is how a check went.
type status string

const (
	ok   status = "ok"
	warn status = "warn" // the box works, and something in it may not
	fail status = "fail" // the box does not work
)

// check is one line of the doctor.
type check struct {
	Name   string `json:"name"`
	Status status `json:"status"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

// checklist collects what the doctor finds.
type checklist []check

func (l *checklist) add(name string, s status, fix, detail string, args ...any) {
	*l = append(*l, check{name, s, fmt.Sprintf(detail, args...), fix})
}

// failed adds an error.
func (l *checklist) failed(name string, err error) {
	var known *types.Error
	if errors.As(err, &known) {
		l.add(name, fail, known.Fix, "%s", known.Problem)
		return
	}
	l.add(name, fail, "", "%v", err)
}

// doctor checks everything that "agentbox up" needs.
func (p *program) doctor(ctx context.Context) error {
	var list checklist
	engine, running := p.checkEngine(ctx, &list)
	p.checkConfig(&list, engine)
	p.checkFolders(&list)
	p.checkLogin(&list, runtime.GOOS)
	if running {
		box := p.checkBox(ctx, &list)
		if box == nil {
			p.checkPort(ctx, &list)
		} else {
			checkObserver(ctx, &list, box.Labels[types.LabelPort])
		}
		p.checkImage(ctx, &list)
	}
	return p.report(list)
}

// noConfig is the doctor when the configuration is wrong.
func (p *program) noConfig(ctx context.Context, err error) error {
	var list checklist
	p.checkEngine(ctx, &list)
	list.failed("config", err)
	return p.report(list)
}

func (p *program) report(list checklist) error {
	failed := false
	for _, c := range list {
		failed = failed || c.Status == fail
	}
	if p.json {
		out := json.NewEncoder(p.out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(map[string]any{"ok": !failed, "checks": list}); err != nil {
			return err
		}
	} else {
		list.print(p.out)
	}
	if failed {
		return errTold
	}
	return nil
}

func (l checklist) print(out io.Writer) {
	const margin = "\n              "
	for _, c := range l {
		mark := map[status]string{ok: "✓", warn: "!", fail: "✗"}[c.Status]
		fmt.Fprintf(out, "%s %-11s %s\n", mark, c.Name, strings.ReplaceAll(c.Detail, "\n", margin))
		if c.Fix != "" {
			fmt.Fprintf(out, "%s%s\n", margin[1:], strings.ReplaceAll("fix: "+c.Fix, "\n", margin))
		}
	}
}

// checkEngine looks for docker and what answers it.
func (p *program) checkEngine(ctx context.Context, list *checklist) (engine docker.Engine, running bool) {
	program, err := p.docker.Program()
	if err != nil {
		list.failed("docker", err)
		return engine, false
	}
	list.add("docker", ok, "", "%s", program)
	engine, err = p.docker.Engine(ctx)
	if err != nil {
		list.failed("engine", err)
		return engine, false
	}
	kind := "Docker"
	if engine.Podman {
		kind = "podman"
	}
	list.add("engine", ok, "", "%s %s, %s, %d processors, %.1f GB of memory", kind, engine.Version, engine.OS, engine.CPUs, gigabytes(engine.Memory))
	if host, err := p.docker.Host(ctx); err == nil && (strings.HasPrefix(host, "ssh:") || strings.HasPrefix(host, "tcp:")) {
		list.add("engine", warn, "'docker context use default', or run agentbox on that computer",
			"it is at %s: folders that the box mounts are looked for there", host)
	}
	return engine, true
}

func gigabytes(n int64) float64 { return float64(n) / (1 << 30) }

// checkConfig looks at the settings, beside the engine if there is one.
func (p *program) checkConfig(list *checklist, engine docker.Engine) {
	cfg, err := engine.Fit(p.cfg)
	if err != nil {
		list.failed("config", err)
		return
	}
	list.add("config", ok, "", "box %s of image %s, %s of memory, %s processors, port %d",
		cfg.Container, cfg.Image, cfg.Memory, cfg.CPUs, cfg.Port)
	if cfg.CABundle != "" {
		if _, err := os.ReadFile(cfg.CABundle); err != nil {
			list.add("config", fail, "name a file of certificates in PEM format with AGENTBOX_CA_BUNDLE, or unset it",
				"the certificates for the build cannot be read: %v", err)
		}
	}
}

// checkFolders looks at what the box mounts.
func (p *program) checkFolders(list *checklist) {
	list.add("workspace", ok, "", "%s", p.cfg.Workspace)
	if home := filepath.Dir(p.cfg.ClaudeDir); p.cfg.Workspace == home || p.cfg.Workspace == filepath.Dir(p.cfg.Workspace) {
		list.add("workspace", warn, "run agentbox in the folder of a project, or give --workspace",
			"the agents may read and change all of it, keys and passwords included")
	}
	if info, err := os.Stat(p.cfg.ClaudeDir); err == nil && !info.IsDir() {
		list.add("claude dir", fail, "move it away; agentbox makes the folder", "%s is not a folder", p.cfg.ClaudeDir)
	} else if err != nil {
		list.add("claude dir", warn, "'agentbox up' makes it", "%s does not exist yet", p.cfg.ClaudeDir)
	} else {
		list.add("claude dir", ok, "", "%s", p.cfg.ClaudeDir)
	}
	p.checkJSON(list)
	if err := docker.Owned(p.cfg); err != nil {
		list.failed("owner", err)
	}
	if p.cfg.GitConfig == "" {
		list.add("git", warn, "git config --global user.name … and user.email …", "there is no ~/.gitconfig: commits in the box have no author")
	} else {
		list.add("git", ok, "", "%s, to read", p.cfg.GitConfig)
	}
	if p.cfg.GHConfigDir != "" {
		list.add("gh", ok, "", "%s, to read", p.cfg.GHConfigDir)
	}
}

func (p *program) checkJSON(list *checklist) {
	name := p.cfg.ClaudeJSON
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		list.failed("claude.json", docker.Prepare(p.cfg))
		return
	case err != nil || info.Size() == 0:
		list.add("claude.json", warn, "'agentbox up' makes it {}", "%s is missing or empty", name)
		return
	}
	content, err := os.ReadFile(name)
	switch {
	case err != nil:
		list.add("claude.json", fail, "check who owns it", "%v", err)
	case !json.Valid(content):
		list.add("claude.json", fail, "correct it, or move it away and log in again; copies may be in ~/.claude/backups",
			"%s is not JSON: Claude Code will not start with it", name)
	default:
		list.add("claude.json", ok, "", "%s", name)
	}
}

// checkLogin looks for what Claude Code logs in with. On a Mac it is in the
// keychain, which a container cannot open.
func (p *program) checkLogin(list *checklist, system string) {
	for _, name := range []string{"CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		if p.env[name] != "" {
			list.add("login", ok, "", "%s is passed on to the box", name)
			return
		}
	}
	file := filepath.Join(p.cfg.ClaudeDir, ".credentials.json")
	_, err := os.ReadFile(file)
	switch {
	case err == nil:
		list.add("login", ok, "", "%s", file)
	case system == "darwin":
		list.add("login", fail,
			"run 'claude setup-token', then: export CLAUDE_CODE_OAUTH_TOKEN=<the token>\n"+
				"(to copy the login instead, which ends when the Mac renews its own:\n"+
				`security find-generic-password -s "Claude Code-credentials" -w > ~/.claude/.credentials.json; chmod 600 ~/.claude/.credentials.json)`,
			"macOS keeps Claude Code's login in the Keychain, where the box cannot read it")
	default:
		list.add("login", warn, "log in once in the box ('/login'), or with 'claude' on this computer", "no login is stored in %s", file)
	}
}

// checkBox looks at the box, and returns the one that runs.
func (p *program) checkBox(ctx context.Context, list *checklist) *docker.Box {
	box, err := p.docker.Box(ctx, p.cfg.Container)
	switch {
	case err != nil:
		list.failed("box", err)
		return nil
	case box == nil:
		list.add("box", ok, "", "none: 'agentbox up' starts it")
		return nil
	case !box.Up():
		list.add("box", warn, "'agentbox up' replaces it; 'docker logs "+p.cfg.Container+"' tells why it ended", "%s is not running (%s)", p.cfg.Container, box.State)
		return nil
	}
	list.add("box", ok, "", "%s runs for %s, port %s, yolo %s", p.cfg.Container,
		box.Labels[types.LabelWorkspace], box.Labels[types.LabelPort], box.Labels[types.LabelYolo])
	var stuck []string
	for _, place := range []string{types.WorkspacePath, types.ClaudeDirPath, types.ClaudeJSON} {
		if p.docker.Exec(ctx, box.ID, types.AskTime, `test -w "$1"`, place) != nil {
			stuck = append(stuck, place)
		}
	}
	if len(stuck) > 0 {
		list.add("box", fail, "make them writable for the user "+strconv.Itoa(p.cfg.UID)+" on this computer; with a rootless engine, use that of the system",
			"the agents cannot write %s", strings.Join(stuck, ", "))
	}
	return box
}

func (p *program) checkPort(ctx context.Context, list *checklist) {
	if err := p.docker.PortTaken(ctx, p.cfg.Port); err != nil {
		list.failed("port", err)
		return
	}
	list.add("port", ok, "", "%d is free", p.cfg.Port)
}

// checkObserver asks for the page as a browser of this computer would.
func checkObserver(ctx context.Context, list *checklist, port string) {
	status, err := get(ctx, "localhost:"+port)
	if err == nil && !strings.Contains(status, " 200") {
		err = fmt.Errorf("it said %q", status)
	}
	if err != nil {
		list.add("port", warn, "its window in tmux tells why (agentbox, then Ctrl-b 1)", "the Observer does not answer: %v", err)
		return
	}
	list.add("port", ok, "", "the Observer answers at http://localhost:%s/", port)
}

// get returns the first line of what a web server answers. Package net/http
// would double the size of agentbox.
func get(ctx context.Context, address string) (string, error) {
	const patience = 5 * time.Second
	connection, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(patience))
	if _, err := fmt.Fprintf(connection, "GET / HTTP/1.0\r\nHost: %s\r\n\r\n", address); err != nil {
		return "", err
	}
	line, err := bufio.NewReaderSize(connection, 256).ReadSlice('\n')
	return strings.TrimSpace(string(line)), err
}

// tools prints, in the image, what the box needs, one "name value" a line.
const tools = `echo "tmux $(tmux -V 2>&1)"
echo "claude $(claude --version 2>&1)"
echo "node $(node --version 2>&1)"
[ -f ` + types.EntryPath + ` ] && [ -f ` + types.ObserverPath + ` ] && echo "shared yes"`

// checkImage looks at the image, and in it.
func (p *program) checkImage(ctx context.Context, list *checklist) {
	if err := writeFiles(p.cfg); err != nil {
		list.failed("image", err)
		return
	}
	image, err := p.docker.Image(ctx, p.cfg.Image)
	if err != nil {
		list.failed("image", err)
		return
	}
	if image == nil {
		list.add("image", warn, "'agentbox up' builds it", "%s does not exist yet", p.cfg.Image)
		return
	}
	if why, err := image.Outdated(p.cfg); err != nil {
		list.failed("image", err)
	} else if why != "" {
		list.add("image", warn, "'agentbox up' builds it again", "%s is old: %s", p.cfg.Image, why)
	} else {
		list.add("image", ok, "", "%s, %.1f GB", p.cfg.Image, gigabytes(image.Size))
	}
	found := map[string]string{}
	err = p.docker.Try(ctx, p.cfg, func(line string) {
		name, value, _ := strings.Cut(line, " ")
		found[name] = value
	}, tools)
	if _, ran := found["node"]; err != nil && !ran {
		list.failed("tools", err)
		return
	}
	checkTools(list, found, p.cfg.Dir)
}

var tmuxVersion = regexp.MustCompile(`^tmux \S*\d`)

func checkTools(list *checklist, found map[string]string, dir string) {
	const rebuild = "'agentbox rebuild' makes the image anew"
	version := claudeVersion(found["claude"])
	switch {
	case !tmuxVersion.MatchString(found["tmux"]):
		list.add("tmux", fail, rebuild, "not in the image: %s", found["tmux"])
	default:
		list.add("tmux", ok, "", "%s", strings.TrimPrefix(found["tmux"], "tmux "))
	}
	switch {
	case version == [3]int{}:
		list.add("claude", fail, rebuild, "Claude Code does not run in the image: %s", found["claude"])
	case !atLeast(version, [3]int{2, 1, 32}):
		list.add("claude", fail, rebuild, "Claude Code %s has no teams", found["claude"])
	case !atLeast(version, [3]int{2, 1, 183}):
		list.add("claude", warn, rebuild, "Claude Code %s may garble the panes of several teammates; 2.1.183 does not", found["claude"])
	default:
		list.add("claude", ok, "", "Claude Code %s", found["claude"])
	}
	if !strings.HasPrefix(found["node"], "v") {
		list.add("node", fail, rebuild, "the Observer needs node, which is not in the image: %s", found["node"])
	} else {
		list.add("node", ok, "", "%s", found["node"])
	}
	if found["shared"] != "yes" {
		list.add("share", fail, "share it with the engine, or set TMPDIR to a folder that is", "the engine does not see %s, where agentbox keeps what the box runs", dir)
	}
}

// claudeVersion reads what "claude --version" prints; zero when it is no version.
func claudeVersion(text string) (v [3]int) {
	number, _, _ := strings.Cut(text, " ")
	parts := strings.Split(number, ".")
	if len(parts) != len(v) {
		return v
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return [3]int{}
		}
		v[i] = n
	}
	return v
}

func atLeast(v, least [3]int) bool {
	for i := range v {
		if v[i] != least[i] {
			return v[i] > least[i]
		}
	}
	return true
}
