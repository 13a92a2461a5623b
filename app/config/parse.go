package config

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"git.rickub.com/bots-garden/sidekicks/schema"
	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// An Option changes how a file is read.
type Option func(*loader)

// WithLookPath gives the way to look for a program: find returns an error
// when it cannot be run. program is a bare name or an absolute path; env is
// that of the agent, whose PATH comes first. Without this option, the PATH of
// the process is used.
func WithLookPath(find func(program string, env map[string]string) error) Option {
	return func(l *loader) { l.lookPath = find }
}

// Load reads the file at path. The error, a [*ReadError], is for a file that
// cannot be read at all; otherwise Load is [Parse].
func Load(path string, options ...Option) (*Config, []Problem, error) {
	data, err := Read(path)
	if err != nil {
		return nil, nil, err
	}
	config, problems := Parse(data, path, options...)
	return config, problems, nil
}

// Parse reads data as the content of the file at path, which need not exist.
// The problems are in file order. When they are not [Valid], the Config holds
// what could be read, among it the language to tell the problems in, and is
// not to be used for anything else.
func Parse(data []byte, path string, options ...Option) (*Config, []Problem) {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	l := &loader{
		lookPath: lookPath,
		refused:  map[string]bool{},
		reported: map[mistake]bool{},
		found:    map[[2]string]bool{},
		config: &Config{
			Path:   path,
			Folder: filepath.Dir(path),
			UI:     UI{Theme: "system", Language: "en"},
			Limits: Limits{MaxRunningAgents: 2, StopIdleAgentsAfter: 10 * time.Minute},
		},
	}
	for _, option := range options {
		option(l)
	}
	l.parse(data)
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return l.config, l.problems
}

// loader reads one file.
type loader struct {
	lookPath func(program string, env map[string]string) error
	config   *Config
	problems []Problem
	refused  map[string]bool // paths of the values that have a problem already
	reported map[mistake]bool
	found    map[[2]string]bool // whether a program is in a PATH
}

// mistake is what a problem is about. One in what several aliases refer to is
// met at several paths, and is one mistake all the same.
type mistake struct {
	line, column int
	code         string
	key          any
}

// report adds a problem, once.
func (l *loader) report(p Problem) {
	m := mistake{p.Line, p.Column, p.Code, p.Args["Key"]}
	if l.reported[m] {
		return
	}
	l.reported[m] = true
	p.Path = shown(p.Path)
	for name, arg := range p.Args {
		if text, ok := arg.(string); ok {
			p.Args[name] = shown(text)
		}
	}
	l.problems = append(l.problems, p)
}

// maxShown is how many characters of a text of the file a problem quotes.
const maxShown = 200

// shown is a text of the file as it is quoted: in one line, not too long, and
// without what could change how the rest is displayed.
func shown(text string) string {
	var b strings.Builder
	count := 0
	for _, char := range text {
		if count++; count > maxShown {
			b.WriteString("…")
			break
		}
		if unicode.IsControl(char) || unicode.In(char, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			fmt.Fprintf(&b, "\\u%04X", char)
		} else {
			b.WriteRune(char)
		}
	}
	return b.String()
}

func (l *loader) parse(data []byte) {
	root, faults := yamldoc.Parse(data)
	for _, fault := range faults {
		l.fault(fault)
	}
	if root == nil {
		l.guessLanguage(data)
		return
	}
	if err := schema.ValidateConfigData(root.Data); err != nil {
		l.violations(root, err)
	}
	l.build(root)
}

// fault reports what is wrong with the YAML text itself.
func (l *loader) fault(fault *yamldoc.Error) {
	args := fault.Args
	if fault.Code == yamldoc.Quote && isSecret(fault.Path) {
		args = nil
	}
	l.refused[fault.Path] = fault.Path != ""
	l.report(Problem{
		Line: fault.Line, Column: fault.Column, Path: fault.Path, Code: string(fault.Code), Args: args,
	})
}

// isSecret reports whether the value at path is that of an env variable.
func isSecret(path string) bool { return secretPath.MatchString(path) }

var secretPath = regexp.MustCompile(`^agents\[\d+\]\.env\.`)

// writtenLanguage is the language in a file that is no YAML.
var writtenLanguage = regexp.MustCompile(`(?m)^[ \t]+language:[ \t]*["']?(en|fr)\b`)

// guessLanguage lets the problems of a file that is no YAML be told in the
// language it asks for.
func (l *loader) guessLanguage(data []byte) {
	if match := writtenLanguage.FindSubmatch(data); match != nil {
		l.config.UI.Language = string(match[1])
	}
}

// lookPath looks for a program in the PATH of env or else of the process.
func lookPath(program string, env map[string]string) error {
	path, ok := env["PATH"]
	if !ok || isPath(program) {
		_, err := exec.LookPath(program)
		return err
	}
	for _, folder := range filepath.SplitList(path) {
		if _, err := exec.LookPath(filepath.Join(folder, program)); err == nil {
			return nil
		}
	}
	return exec.ErrNotFound
}
