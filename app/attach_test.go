package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

var png = []byte("\x89PNG\r\n\x1a\n and the picture")

// put writes a file and returns its path.
func put(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExamine(t *testing.T) {
	for name, want := range map[string]struct {
		data          []byte
		mime          string
		text, picture bool
		link          bool
	}{
		"notes.md":   {data: []byte("# é"), text: true},
		"app.ts":     {data: []byte("let a = 1"), text: true},
		"photo.png":  {data: png, mime: "image/png", picture: true},
		"lying.txt":  {data: png, mime: "image/png", picture: true},
		"data.bin":   {data: []byte{0, 1, 2}, mime: "application/octet-stream"},
		"empty":      {mime: "text/plain", text: true},
		"long.log":   {data: bytes.Repeat([]byte("x"), maxText+1), text: true, link: true},
		"large.png":  {data: append(png, make([]byte, maxPicture)...), mime: "image/png", picture: true, link: true},
		"drawing":    {data: []byte("<svg xmlns='…'>"), text: true},
		"a b #%.txt": {data: []byte("x"), mime: "text/plain", text: true},
	} {
		f, err := Examine(put(t, name, want.data))
		if err != nil || f.Name != name || f.Size != int64(len(want.data)) || f.Text != want.text || f.Picture != want.picture || f.LinkOnly() != want.link {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
		if want.mime != "" && f.MIME != want.mime {
			t.Errorf("%s is %s, want %s", name, f.MIME, want.mime)
		}
	}
	if f, err := Examine(t.TempDir()); err != nil || !f.Folder {
		t.Errorf("a folder: %+v, %v", f, err)
	}
	_, err := Examine(filepath.Join(t.TempDir(), "gone"))
	var failed *FileError
	if !errors.As(err, &failed) || failed.Path == "" || failed.why.ID != "attach.FileMissing" {
		t.Errorf("a missing file: %v", err)
	}
}

func TestFileURIs(t *testing.T) {
	for path, uri := range map[string]string{
		"/home/me/a b.txt":   "file:///home/me/a%20b.txt",
		"/tmp/100%/é#1?.txt": "file:///tmp/100%25/%C3%A9%231%3F.txt",
	} {
		if got := FileURI(path); got != uri {
			t.Errorf("FileURI(%q) = %q", path, got)
		}
		if got, ok := FilePath(uri); got != path || !ok {
			t.Errorf("FilePath(%q) = %q, %v", uri, got, ok)
		}
	}
	for _, uri := range []string{"https://x/a", "file://elsewhere/a", "file:", "/a", "%", ""} {
		if path, ok := FilePath(uri); ok {
			t.Errorf("FilePath(%q) = %q", uri, path)
		}
	}
}

// blocks are the prompts that a recording agent received.
func blocks(t *testing.T, record string) [][]acp.ContentBlock {
	t.Helper()
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]acp.ContentBlock
	for line := range bytes.Lines(data) {
		var m struct {
			Method string
			Params struct{ Prompt []acp.ContentBlock }
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Method == acp.MethodPrompt {
			all = append(all, m.Params.Prompt)
		}
	}
	return all
}

func (w *world) sendFiles(text string, files ...string) Message {
	w.t.Helper()
	sent := make(chan Message, 1)
	err := w.Send(Outgoing{Channel: w.general(), Text: text, Files: files, Sent: func(m Message, err error) {
		if err != nil {
			w.t.Error(err)
		}
		sent <- m
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	id := (<-sent).ID
	w.over(id)
	return w.message(id)
}

// What an agent takes decides what it gets of a file.
func TestFilesInAPrompt(t *testing.T) {
	note, picture, folder := put(t, "note.txt", []byte("remember")), put(t, "p.png", png), t.TempDir()
	binary := put(t, "x.bin", []byte{0, 1})
	long := put(t, "long.txt", bytes.Repeat([]byte("long "), maxText/4))
	for name, c := range map[string]struct {
		takes string
		want  []string // types of the blocks
	}{
		"nothing":  {`{}`, []string{"text", "resource_link", "resource_link", "resource_link", "resource_link", "resource_link"}},
		"texts":    {`{"embeddedContext":true}`, []string{"text", "resource", "resource_link", "resource_link", "resource_link", "resource_link"}},
		"pictures": {`{"image":true,"embeddedContext":true}`, []string{"text", "resource", "image", "resource_link", "resource_link", "resource_link"}},
	} {
		t.Run(name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "record")
			s := fakeagent.Script{Record: record, On: map[string][]string{
				"initialize": {`result {"protocolVersion":1,"agentCapabilities":{"promptCapabilities":` + c.takes + `}}`}}}
			w := newWorld(t, cast{"alice": s}, []string{"alice"}, settings{})
			m := w.sendFiles("look", note, picture, folder, binary, long, note)
			got := blocks(t, record)[0]
			var types []string
			for _, b := range got {
				types = append(types, b.Type)
			}
			if !slices.Equal(types, c.want) {
				t.Fatalf("sent %q, want %q", types, c.want)
			}
			for i, path := range []string{note, picture, folder, binary, long} {
				uri := got[i+1].URI + got[i+1].Resource.URI
				if uri != FileURI(path) {
					t.Errorf("file %d is %q", i, uri)
				}
			}
			if b := got[1]; b.Type == acp.ContentResource && b.Resource.Text != "remember" || b.Type == acp.ContentResourceLink && (b.Name != "note.txt" || b.Size != 8) {
				t.Errorf("the note went as %+v", b)
			}
			if b := got[2]; b.Type == acp.ContentImage && (b.MIMEType != "image/png" || b.Data != base64.StdEncoding.EncodeToString(png)) {
				t.Errorf("the picture went as %+v", b)
			}
			w.reopen(settings{})
			kept := links(w.message(m.ID))
			if len(kept) != 5 || kept[1].MIMEType != "image/png" || kept[1].URI != FileURI(picture) || kept[4].Size != maxText/4*5 {
				t.Errorf("the message keeps %+v", kept)
			}
		})
	}
}

func TestFilesInTheTalk(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	w := newWorld(t, cast{"alice": {}, "bob": {Record: record}}, []string{"alice", "bob"}, settings{})
	note := put(t, "note.txt", []byte("remember"))
	w.sendFiles("@alice see", note)
	w.sendFiles("", note)
	w.say("@bob and you?")
	if got := w.prompts(record)[0][0]; strings.Count(got, "[attached: "+FileURI(note)+"]") != 2 || !strings.Contains(got, "@alice see\n[attached") {
		t.Errorf("bob was told %q", got)
	}
	w.sendFiles("/bob:review this", note)
	if got := blocks(t, record)[1]; len(got) != 2 || got[0].Text != "/review this" || got[1].Resource.Text != "remember" {
		t.Errorf("a command went as %+v", got)
	}
}

// A file that is gone keeps the message from being sent, and nothing is lost.
func TestFilesThatCannotBeSent(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	for name, files := range map[string][]string{
		"missing":  {filepath.Join(t.TempDir(), "gone")},
		"too many": slices.Repeat([]string{"/x"}, MaxFiles+1),
		"a device": {os.DevNull},
	} {
		failed := make(chan error, 1)
		err := w.Send(Outgoing{Channel: w.general(), Text: "look", Files: files, Sent: func(_ Message, err error) { failed <- err }})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-failed; err == nil {
			t.Errorf("%s: it was sent", name)
		} else if _, ok := localizable(err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(w.all()) != 0 {
		t.Error(w.dump())
	}
}

func TestDraftsKeepTheirFiles(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	w.SetDraft(w.general(), Draft{Text: "half", Files: []string{"/a b"}})
	w.reopen(settings{})
	if d := w.Draft(w.general()); d.Text != "half" || !slices.Equal(d.Files, []string{"/a b"}) {
		t.Errorf("%+v", d)
	}
}

func TestQueue(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{limits: map[string]any{"maxRunningAgents": 1}})
	first := w.send("@alice go !wait")
	w.state(first, Working)
	second, third := w.send("@alice two"), w.send("@bob @alice three")
	place := w.state(third, Queued) // bob waits for alice to be stopped
	var ids []MessageID
	for _, q := range w.Queue(w.general()) {
		ids = append(ids, q.Message)
	}
	if !slices.Equal(ids, []MessageID{second, third}) {
		t.Fatalf("the queue is %v, want %v", ids, []MessageID{second, third})
	}
	if q := w.Queue(w.general()); len(q[1].Deliveries) != 2 || q[0].Deliveries[0].Place != 1 {
		t.Errorf("%+v", q)
	}
	w.Withdraw(place.ID)
	w.until("bob's to be withdrawn", func() bool { return w.message(third).Deliveries[0].State == Cancelled })
	w.Stop(w.general(), "")
	w.over(second)
	w.over(third)
	if q := w.Queue(w.general()); len(q) != 0 {
		t.Errorf("left in the queue: %+v", q)
	}
}
