package runtime

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// filesScript does all that boxFiles does inside, in one command each.
//
//go:embed files.sh
var filesScript string

// attempts is how often a question is asked: an exec now and then hangs for no
// reason.
const attempts = 3

// boxFiles is the agent's folder in a box, through a shell in there.
type boxFiles struct{ box *box }

// ErrNotFolder is for listing what is no folder.
var ErrNotFolder = errors.New("not a folder")

// reasons are those of files.sh.
var reasons = map[string]error{
	"outside": ErrOutside,
	"missing": fs.ErrNotExist,
	"exists":  fs.ErrExist,
	"denied":  fs.ErrPermission,
	"notfile": ErrNotFile,
	"notdir":  ErrNotFolder,
}

// spotted is a name as files.sh takes it: its folder and itself.
func spotted(op, name string) (dir, base string, err error) {
	clean := path.Clean(name)
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || strings.Contains(clean, "\x00") {
		return "", "", &fs.PathError{Op: op, Path: name, Err: ErrOutside}
	}
	return path.Dir(clean), path.Base(clean), nil
}

// encode writes a name so that docker, which takes arguments as UTF-8, passes
// on every byte: files.sh decodes it.
func encode(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c == '\\' || c >= 0x80 {
			fmt.Fprintf(&b, `\0%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// do runs a verb of files.sh on an entry. quiet is how long it may do nothing
// that can be seen.
func (f *boxFiles) do(ctx context.Context, quiet time.Duration, verb, name string, more []string, in io.Reader, out io.Writer) error {
	dir, base, err := spotted(verb, name)
	if err != nil {
		return err
	}
	b := f.box
	flags := b.entry.user
	if in != nil {
		flags = append([]string{"-i"}, flags...)
	}
	c := b.script(flags, filesScript, ownMark, append([]string{verb, b.spec.WorkspacePath, encode(dir), encode(base)}, more...)...)
	return f.reason(verb, name, b.stream(ctx, c, quiet, in, out))
}

// reason finds what files.sh said of a failure.
func (f *boxFiles) reason(verb, name string, err error) error {
	var failure *Error
	if !errors.As(err, &failure) {
		return err
	}
	for line := range strings.Lines(failure.Output) {
		said, ok := strings.CutPrefix(strings.TrimSpace(line), "sidekicks: ")
		switch {
		case !ok:
		case said == "tools":
			failure.Code = NoShell
		case reasons[said] != nil:
			return &fs.PathError{Op: verb, Path: name, Err: reasons[said]}
		}
	}
	return err
}

// ask runs a verb that changes nothing and returns what it prints. One that
// hangs is asked again.
func (f *boxFiles) ask(ctx context.Context, verb, name string, more ...string) (string, error) {
	for attempt := 1; ; attempt++ {
		var out bytes.Buffer
		err := f.do(ctx, f.box.limits.quiet, verb, name, more, nil, &out)
		var failure *Error
		if attempt < attempts && errors.As(err, &failure) && failure.Code == Silent {
			continue
		}
		return out.String(), err
	}
}

func (f *boxFiles) List(ctx context.Context, dir string) ([]Entry, error) {
	mark := rand.Text()
	out, err := f.ask(ctx, "list", dir, mark)
	if err != nil {
		return nil, err
	}
	entries := parseEntries(out, mark)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

func (f *boxFiles) Stat(ctx context.Context, name string) (Entry, error) {
	mark := rand.Text()
	out, err := f.ask(ctx, "stat", name, mark)
	if err != nil {
		return Entry{}, err
	}
	entries := parseEntries(out, mark)
	if len(entries) != 1 {
		return Entry{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return entries[0], nil
}

// parseEntries reads what the verbs list and stat print: for each entry "MODE
// SIZE SECONDS ./NAME" and "@ NAME -> TARGET" in whatever quotes, then "." and
// the symlinks that lead out as "> ./NAME". Each begins with a mark that no
// name holds, since names may hold anything else.
func parseEntries(out, mark string) []Entry {
	var entries []Entry
	known := map[string]int{}
	for _, record := range strings.Split(out, mark+" ")[1:] {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(record, "\n"), " ")
		switch kind {
		case "@":
			if e := &entries[len(entries)-1]; e.Mode&fs.ModeSymlink != 0 {
				e.Target = target(rest, e.Name)
			}
		case ">":
			if i, ok := known[strings.TrimPrefix(record, "> ./")]; ok {
				entries[i].Outside = true
			}
		case ".":
		default:
			if e, ok := readEntry(kind, rest); ok {
				known[e.Name] = len(entries)
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// readEntry reads "SIZE SECONDS ./NAME" of an entry with a hexadecimal mode.
func readEntry(mode, rest string) (Entry, bool) {
	fields := strings.SplitN(rest, " ", 3)
	if len(fields) < 3 {
		return Entry{}, false
	}
	bits, err1 := strconv.ParseUint(mode, 16, 32)
	size, err2 := strconv.ParseInt(fields[0], 10, 64)
	seconds, err3 := strconv.ParseInt(fields[1], 10, 64)
	e := Entry{Name: strings.TrimPrefix(fields[2], "./"), Size: size, Modified: time.Unix(seconds, 0), Mode: fileMode(uint32(bits))}
	return e, errors.Join(err1, err2, err3) == nil
}

// fileMode is what a Unix mode is in Go.
func fileMode(bits uint32) fs.FileMode {
	mode := fs.FileMode(bits & 0o777)
	switch bits & 0o170000 {
	case 0o040000:
		mode |= fs.ModeDir
	case 0o120000:
		mode |= fs.ModeSymlink
	case 0o010000:
		mode |= fs.ModeNamedPipe
	case 0o140000:
		mode |= fs.ModeSocket
	case 0o020000:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case 0o060000:
		mode |= fs.ModeDevice
	}
	for bit, also := range map[uint32]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if bits&bit != 0 {
			mode |= also
		}
	}
	return mode
}

// target finds where a symlink leads in "NAME -> TARGET", of which each part
// may be in quotes.
func target(text, name string) string {
	for _, quote := range []string{"", "'", `"`} {
		if rest, ok := strings.CutPrefix(text, quote+"./"+name+quote+" -> "); ok {
			return strings.TrimSuffix(strings.TrimPrefix(rest, quote), quote)
		}
	}
	return ""
}

// Open reads a file: the first line says that it can be read.
func (f *boxFiles) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	for attempt := 1; ; attempt++ {
		r, err := f.open(ctx, name)
		var failure *Error
		if attempt < attempts && errors.As(err, &failure) && failure.Code == Silent {
			continue
		}
		return r, err
	}
}

func (f *boxFiles) open(ctx context.Context, name string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	r, w := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := f.do(ctx, f.box.limits.quiet, "open", name, nil, nil, w)
		_ = w.CloseWithError(err) // io.EOF when nil
	}()
	file := &boxFile{PipeReader: r, cancel: cancel, ended: ended}
	var head [3]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// boxFile is a file that is being read.
type boxFile struct {
	*io.PipeReader
	cancel context.CancelFunc
	ended  <-chan struct{}
}

// Close ends the command that reads it.
func (f *boxFile) Close() error {
	f.cancel()
	_ = f.PipeReader.Close()
	<-f.ended
	return nil
}

// Write sends the content into a file of its own first, which takes the
// place of the other one once it is known to be whole.
func (f *boxFiles) Write(ctx context.Context, name string, r io.Reader) error {
	temp := ".sidekicks-" + rand.Text()[:8]
	source := &counted{Reader: r}
	err := f.do(ctx, f.box.limits.quiet, "receive", name, []string{temp}, source, io.Discard)
	if err == nil {
		err = source.err
	}
	if err == nil {
		size := strconv.FormatInt(source.n.Load(), 10)
		return f.do(ctx, f.box.limits.quiet, "replace", name, []string{temp, size}, nil, io.Discard)
	}
	var refused *fs.PathError
	if !errors.As(err, &refused) { // else nothing was begun
		tidy := context.WithoutCancel(ctx)
		_ = f.do(tidy, f.box.limits.quiet, "forget", name, []string{temp}, nil, io.Discard)
	}
	return err
}

// counted knows how much was read of it, and why no more was.
type counted struct {
	io.Reader
	n   atomic.Int64
	err error
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

func (f *boxFiles) Make(ctx context.Context, dir string) error {
	return f.do(ctx, f.box.limits.quiet, "make", dir, nil, nil, io.Discard)
}

func (f *boxFiles) Rename(ctx context.Context, from, to string) error {
	dir, base, err := spotted("rename", to)
	if err == nil && (path.Clean(from) == "." || base == ".") {
		err = &fs.PathError{Op: "rename", Path: from, Err: fs.ErrInvalid}
	}
	if err != nil {
		return err
	}
	if path.Clean(from) == path.Clean(to) {
		_, err := f.Stat(ctx, from)
		return err
	}
	return f.do(ctx, f.box.limits.remove, "rename", from, []string{encode(dir), encode(base)}, nil, io.Discard)
}

func (f *boxFiles) Delete(ctx context.Context, name string) error {
	if path.Clean(name) == "." {
		return &fs.PathError{Op: "delete", Path: name, Err: fs.ErrInvalid}
	}
	return f.do(ctx, f.box.limits.remove, "delete", name, nil, nil, io.Discard)
}
