package process

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command says what to start.
type Command struct {
	Path string   // the program: a bare name is looked up in Env's PATH, a relative path starts at Dir
	Args []string // its arguments, without the program
	Dir  string   // the folder it runs in; this program's own when empty
	Env  []string // its environment, NAME=value; this program's own when nil

	// Grace is how long each step of ending it waits; 3 seconds when zero.
	Grace time.Duration

	// Daemons lets what leaves the child's process group live on. It is for
	// programs that start a server of their own on purpose, as sbx does:
	// others depend on that server. Run implies it.
	Daemons bool
}

// Resolve returns the file that c runs. The error is a [*StartError]: it finds
// what the system would report badly, such as a missing script interpreter.
func (c Command) Resolve() (string, error) {
	fail := func(reason Reason, tried string) (string, error) {
		return "", &StartError{Reason: reason, Program: c.Path, Tried: tried, Dir: c.Dir}
	}
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return fail(NoFolder, c.Dir)
		}
	}
	name := c.Path
	if name != "" && name != filepath.Base(name) && !filepath.IsAbs(name) {
		abs, err := filepath.Abs(filepath.Join(c.Dir, name))
		if err != nil {
			return fail(NotFound, name)
		}
		name = abs
	}
	program, failure := c.searchPath().look(name)
	if failure != nil {
		return fail(failure.Reason, failure.Tried)
	}
	if missing := c.missingInterpreter(program); missing != "" {
		return "", &StartError{Reason: NoInterpreter, Program: c.Path, Tried: program, Interpreter: missing, Dir: c.Dir}
	}
	return program, nil
}

// String returns the command line for showing, quoted where needed. The values
// of arguments such as NAME=value are left out, since they may be secrets.
func (c Command) String() string {
	words := []string{quote(c.Path)}
	for _, arg := range c.Args {
		words = append(words, quote(assignment.ReplaceAllString(arg, "${1}…")))
	}
	return strings.Join(words, " ")
}

// assignment matches an environment variable in an argument, as docker's -e
// takes it.
var assignment = regexp.MustCompile(`(?s)^((?:-e|--env=|-e=)?[A-Z_][A-Z0-9_]*=).+$`)

func quote(word string) string {
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' || r == 0x7f }) {
		return strconv.Quote(word)
	}
	return word
}

func (c Command) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return defaultGrace
}

func (c Command) environ() []string {
	if c.Env == nil {
		return os.Environ()
	}
	return c.Env[:len(c.Env):len(c.Env)]
}

// searchPath returns the PATH that c will see.
func (c Command) searchPath() Path {
	list := ""
	for _, entry := range c.environ() {
		if name, value, _ := strings.Cut(entry, "="); sameName(name, "PATH") {
			list = value
		}
	}
	return ParsePath(list, "")
}

// missingInterpreter returns the interpreter that a script names and that is not
// there. It is "" for anything else.
func (c Command) missingInterpreter(program string) string {
	if runtime.GOOS == "windows" {
		return "" // "#!" means nothing there
	}
	words := strings.Fields(shebang(program))
	if len(words) == 0 {
		return ""
	}
	if _, err := os.Stat(words[0]); errors.Is(err, fs.ErrNotExist) {
		return words[0]
	}
	path := c.searchPath()
	if filepath.Base(words[0]) != "env" || len(path.Dirs) == 0 {
		return ""
	}
	words = slices.DeleteFunc(words[1:], func(word string) bool {
		return word == "-S" || strings.Contains(word, "=")
	})
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "" // options that only env understands
	}
	if _, err := path.Look(words[0]); err != nil {
		return words[0]
	}
	return ""
}

// shebang returns what follows "#!" in the first line of a file.
func shebang(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return "" // a program may be run that may not be read
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 256))
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	return string(text)
}

// startError explains why the system did not start program.
func (c Command) startError(program string, err error) error {
	failure := &StartError{Reason: Refused, Program: c.Path, Tried: program, Dir: c.Dir, Err: err}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOEXEC) || errors.Is(err, errWrongSystem) {
		// The file is there: what is missing is the loader it was built for.
		failure.Reason = WrongSystem
	}
	return failure
}
