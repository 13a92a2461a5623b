package app

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// What of an attached file goes into a prompt whole, at most; the rest goes as
// a link that the agent can follow.
const (
	maxText    = 256 << 10 // bytes of one text
	maxPicture = 5 << 20   // bytes of one picture
	maxWhole   = 20 << 20  // bytes in all
)

// MaxFiles is how many files a message may have.
const MaxFiles = 50

// File is a file or a folder that a person attaches, as it is at the moment.
type File struct {
	Path    string // absolute
	Name    string
	Size    int64  // bytes; 0 for a folder
	MIME    string // type of the content
	Folder  bool
	Text    bool // reads as text
	Picture bool // of a kind that agents can look at
}

// LinkOnly tells whether the file is too large to be sent whole, to whomever.
func (f File) LinkOnly() bool {
	return f.Text && f.Size > maxText || f.Picture && f.Size > maxPicture
}

// FileError says why a file cannot be attached. It is localizable.
type FileError struct {
	Path string
	why  *Phrase
}

func (e *FileError) Error() string                      { return e.why.Error() }
func (e *FileError) Localize() (string, map[string]any) { return e.why.Localize() }

// Examine looks at a file that is to be attached. It may take as long as the
// disk does. The error is a [FileError].
func Examine(path string) (File, error) {
	f := File{Path: path, Name: filepath.Base(path), MIME: "application/octet-stream"}
	info, err := os.Stat(path)
	if err != nil {
		return f, unusable(path, err)
	}
	if info.IsDir() {
		f.Folder, f.MIME = true, "inode/directory"
		return f, nil
	}
	f.Size = info.Size()
	if !info.Mode().IsRegular() { // opening a pipe or a device may never end
		return f, &FileError{path, phrase("attach.FileOdd", "Name", f.Name)}
	}
	opened, err := os.Open(path)
	if err != nil {
		return f, unusable(path, err)
	}
	defer opened.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(opened, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, unusable(path, err)
	}
	f.guess(head[:n])
	return f, nil
}

// guess tells what the file is from its first bytes, and from its name where
// they leave it open. Names mislead: a .ts is TypeScript more often than video.
func (f *File) guess(head []byte) {
	found, _, _ := strings.Cut(http.DetectContentType(head), ";")
	named, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(f.Name)), ";")
	f.Text = strings.HasPrefix(found, "text/")
	f.Picture = slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, found)
	f.MIME = found
	kind, _, _ := strings.Cut(named, "/")
	switch {
	case f.Picture || named == "":
	case f.Text && (kind == "video" || kind == "audio" || kind == "image" && named != "image/svg+xml"):
	default:
		f.MIME = named
	}
}

func unusable(path string, err error) *FileError {
	name := filepath.Base(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &FileError{path, phrase("attach.FileMissing", "Name", name)}
	case errors.Is(err, fs.ErrPermission):
		return &FileError{path, phrase("attach.FileDenied", "Name", name)}
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &FileError{path, phrase("attach.FileUnreadable", "Name", name, "Reason", err.Error())}
}

// link is the file as a message keeps it, and as an agent that takes no more
// gets it.
func (f File) link() acp.ContentBlock {
	b := acp.ResourceLink(f.Name, FileURI(f.Path))
	b.MIMEType, b.Size = f.MIME, f.Size
	return b
}

// FileURI names a file as a URI.
func FileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// FilePath is the path that a file: URI names on this computer.
func FilePath(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path = u.Path
	if filepath.VolumeName(path[1:]) != "" {
		path = path[1:] // /C:/…
	}
	return filepath.FromSlash(path), true
}

// attachments are the parts of a message for the files at these paths, each
// once.
func attachments(paths []string) ([]Part, error) {
	if len(paths) > MaxFiles {
		return nil, phrase("attach.TooManyFiles", "Limit", MaxFiles)
	}
	var parts []Part
	seen := map[string]bool{}
	for _, path := range paths {
		if seen[path] {
			continue
		}
		seen[path] = true
		f, err := Examine(path)
		if err != nil {
			return nil, err
		}
		link := f.link()
		parts = append(parts, Part{Kind: AttachmentPart, Content: &link})
	}
	return parts, nil
}

// links are the files that the person attached to a message.
func links(m Message) []acp.ContentBlock {
	var list []acp.ContentBlock
	for _, p := range m.Parts {
		if m.Kind == FromPerson && p.Kind == AttachmentPart && p.Content != nil {
			list = append(list, *p.Content)
		}
	}
	return list
}

// attached is what a prompt holds of the message's files: small texts and
// pictures themselves when the agent takes them, links to everything else. A
// file that is gone by now is still named: the agent will say so.
func attached(m Message, takes acp.PromptCapabilities) []acp.ContentBlock {
	list := links(m)
	room := int64(maxWhole)
	for i, link := range list {
		list[i] = whole(link, takes, &room)
	}
	return list
}

// whole is the file itself in place of a link, if the agent takes it and there
// is room for it; else the link.
func whole(link acp.ContentBlock, takes acp.PromptCapabilities, room *int64) acp.ContentBlock {
	path, ok := FilePath(link.URI)
	if !ok {
		return link
	}
	f, err := Examine(path)
	picture := f.Picture && bool(takes.Image)
	if err != nil || f.LinkOnly() || f.Size > *room || !picture && !(f.Text && bool(takes.EmbeddedContext)) {
		return link
	}
	data, err := read(path, f.Size)
	switch {
	case err != nil:
		return link
	case picture:
		*room -= f.Size
		return acp.ContentBlock{Type: acp.ContentImage, MIMEType: f.MIME, URI: link.URI, Data: base64.StdEncoding.EncodeToString(data)}
	case utf8.Valid(data) && !bytes.ContainsRune(data, 0):
		*room -= f.Size
		return acp.ContentBlock{Type: acp.ContentResource, Resource: acp.Resource{URI: link.URI, MIMEType: f.MIME, Text: string(data)}}
	}
	return link
}

var errGrown = errors.New("the file has grown")

// read reads a file of a known size. One that has grown meanwhile is not read
// in half.
func read(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, size+1))
	if err == nil && int64(len(data)) > size {
		err = errGrown
	}
	return data, err
}
