package process

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// loginLimit is how long the login shell may take to say its PATH.
const loginLimit = 5 * time.Second

// Path is where programs are looked for.
type Path struct {
	Dirs   []string // absolute, without duplicates, in order of preference
	Source string   // the login shell that gave it, "" when it is the environment's
}

// ParsePath returns the path of a PATH variable's value. Relative folders are
// left out: what they hold depends on who asks.
func ParsePath(list, source string) Path {
	p := Path{Source: source}
	p.add(filepath.SplitList(list)...)
	return p
}

func (p *Path) add(dirs ...string) {
	for _, dir := range dirs {
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) && !slices.Contains(p.Dirs, dir) {
			p.Dirs = append(p.Dirs, dir)
		}
	}
}

// String returns the value of a PATH variable.
func (p Path) String() string { return strings.Join(p.Dirs, string(os.PathListSeparator)) }

// Look returns the file of a program: a bare name is looked up, anything else is
// a path. The error is a [*StartError].
func (p Path) Look(name string) (string, error) {
	file, failure := p.look(name)
	if failure != nil {
		return "", failure
	}
	return file, nil
}

func (p Path) look(name string) (string, *StartError) {
	failure := &StartError{Reason: NotFound, Program: name, Tried: p.String()}
	files := []string{name}
	if name == filepath.Base(name) {
		files = nil
		for _, dir := range p.Dirs {
			files = append(files, filepath.Join(dir, name))
		}
	} else {
		failure.Tried = name
	}
	for _, file := range files {
		found, err := executable(file)
		if err == nil {
			return found, nil
		}
		if failure.Reason == NotFound && errors.Is(err, fs.ErrPermission) {
			failure.Reason, failure.Tried = NotExecutable, file
		}
	}
	return "", failure
}

// login is the PATH of the user's login shell: it is read once, since that runs
// the user's start-up files, which may take seconds.
var login struct {
	once sync.Once
	done chan struct{}
	path Path
	err  error
}

// LoginPath returns the PATH that the user has in a terminal: that of the login
// shell, then that of this program, then the folder of this program, so that it
// always finds itself. The shell is asked once, for 5 seconds at most; later
// calls return the same.
//
// With an error, a [*PathError] or that of ctx, the path is still usable: it is
// the same without the login shell's part.
func LoginPath(ctx context.Context) (Path, error) {
	login.once.Do(func() {
		login.done = make(chan struct{})
		go func() {
			defer close(login.done)
			ctx, cancel := context.WithTimeout(context.Background(), loginLimit)
			defer cancel()
			shell := loginShell()
			read := make(chan func(), 1)
			go func() {
				path, err := readLoginPath(ctx, shell, os.Environ())
				read <- func() { login.path, login.err = path, err }
			}()
			select {
			case set := <-read:
				set()
			case <-ctx.Done(): // it may take its time to end
				login.path, login.err = mergePath("", "", os.Environ()), &PathError{Shell: shell, Err: ctx.Err()}
			}
		}()
	})
	select {
	case <-login.done:
		return login.path, login.err
	case <-ctx.Done():
		return mergePath("", "", os.Environ()), ctx.Err()
	}
}

// UserShell returns the shell that the user works with.
func UserShell() string {
	if shell := loginShell(); shell != "" {
		return shell
	}
	return cmp.Or(os.Getenv("COMSPEC"), "cmd.exe")
}

// readLoginPath asks shell, "" for none, for its PATH and merges it with that of
// env.
func readLoginPath(ctx context.Context, shell string, env []string) (Path, error) {
	if shell == "" {
		return mergePath("", "", env), nil
	}
	list, err := askShell(ctx, shell, env)
	if err != nil {
		return mergePath("", "", env), &PathError{Shell: shell, Err: err}
	}
	return mergePath(list, shell, env), nil
}

// askShell runs shell as a terminal would, login and interactive, and makes it
// print its PATH between marks: start-up files print what they like. A shell
// that replaces itself by another one when interactive is asked again without.
func askShell(ctx context.Context, shell string, env []string) (string, error) {
	mark := rand.Text()
	// Each shell has its own syntax, fish's PATH is even a list; but all of them
	// run a program, and sh sees what they export.
	script := `/bin/sh -c 'printf "\n` + mark + `%s` + mark + `\n" "$PATH"'`
	err := errors.New("it printed no PATH")
	for _, flags := range [][]string{{"-l", "-i", "-c"}, {"-l", "-c"}, {"-c"}} {
		list, found := "", false
		command := Command{
			Path: shell,
			Args: append(flags, script),
			Env:  Environ(env, mergePath("", "", env), nil),
			// Interactive shells ignore SIGTERM, but what they are just running
			// must get to take its lock files away: pyenv's, left behind, holds
			// up every later terminal for a minute.
			Grace: 2 * time.Second,
		}
		runErr := run(ctx, command, func(line string) {
			if _, rest, ok := strings.Cut(line, mark); ok && !found {
				list, _, found = strings.Cut(rest, mark)
			}
		})
		if found {
			return list, nil // whatever the shell did afterwards
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		var failure *RunError
		if errors.As(runErr, &failure) { // without the script, which tells nobody anything
			err = fmt.Errorf("%s %s", failure.State, strings.Join(failure.Output, " "))
		} else if runErr != nil {
			err = runErr
		}
	}
	return "", err
}

// mergePath puts the login shell's list before the PATH of env and this
// program's folder after it. The folders of a bundle are of no use to others.
func mergePath(list, source string, env []string) Path {
	path := ParsePath(list, source)
	bundle := ""
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case sameName(name, "PATH"):
			path.add(filepath.SplitList(value)...)
		case name == bundleName:
			bundle = value
		}
	}
	path.Dirs = slices.DeleteFunc(path.Dirs, func(dir string) bool { return within(dir, bundle) })
	if self, err := os.Executable(); err == nil {
		path.add(filepath.Dir(self))
	}
	return path
}
