package ui

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// abuser does to the composer what people, input methods and scripts may do.
type abuser struct {
	w    *window
	in   *textInput
	did  []string
	keys []byte // decide what is done
}

func (a *abuser) next(n int) int {
	if len(a.keys) == 0 {
		return 0
	}
	k := int(a.keys[0])
	a.keys = a.keys[1:]
	return k % n
}

// letters are of many scripts and of every width: composed, joined, right to
// left, without width, and none at all.
var letters = []rune("aé @/:\t\n.日本語한글العربية👩‍💻🇫🇷e\u0301\u200b\u202e\ufeff\ufffd\U0010ffff`*-_#1")

var phrases = []string{
	"nihongo wo utsu 日本語を打つ", "@alice ", "/alice:review ", "中文输入法候选词很长很长很长很长很长很长很长很长很长很长很长很长",
	strings.Repeat("x", 300), strings.Repeat("word ", 80), "a\n\n\nb\r\nc", "\xff\xfe bytes", strings.Repeat("\n", 30), "",
}

var keyboard = []fyne.KeyName{
	fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyBackspace, fyne.KeyDelete,
	fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyTab, fyne.KeyEscape, fyne.KeySpace,
}

func (a *abuser) step() {
	switch n := a.next(16); n {
	case 0, 1, 2:
		r := letters[a.next(len(letters))]
		a.do(fmt.Sprintf("rune %q", r), func() { a.in.TypedRune(r) })
	case 3, 4, 5:
		k := keyboard[a.next(len(keyboard))]
		a.do("key "+string(k), func() { press(a.in, k) })
	case 6:
		a.do("shift", func() { a.in.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft}) })
	case 7:
		a.do("unshift", func() { a.in.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft}) })
	case 8:
		p := phrases[a.next(len(phrases))]
		a.do("paste "+p, func() { a.in.TypedShortcut(&fyne.ShortcutPaste{Clipboard: given(p)}) })
	case 9:
		s := []fyne.Shortcut{&fyne.ShortcutSelectAll{}, &fyne.ShortcutCut{Clipboard: given("")}, &fyne.ShortcutUndo{}, &fyne.ShortcutRedo{}, &fyne.ShortcutCopy{Clipboard: given("")}}[a.next(5)]
		a.do("shortcut "+s.ShortcutName(), func() { a.in.TypedShortcut(s) })
	case 10:
		k := []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete}[a.next(4)]
		m := []fyne.KeyModifier{fyne.KeyModifierShortcutDefault, fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}[a.next(2)]
		a.do(fmt.Sprint("word ", k, m), func() { a.in.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: m}) })
	case 11:
		at := fyne.NewPos(float32(a.next(256))*4-40, float32(a.next(256))-20)
		a.do(fmt.Sprint("click ", at), func() {
			a.in.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
			a.in.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
		})
	case 12:
		from, by := fyne.NewPos(float32(a.next(256))*4, float32(a.next(256))), fyne.NewDelta(float32(a.next(256))-128, float32(a.next(64))-32)
		a.do(fmt.Sprint("drag ", from, by), func() {
			a.in.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: from}, Dragged: by})
			a.in.DragEnd()
		})
	case 13:
		if a.next(2) == 0 {
			a.do("double tap", func() { a.in.DoubleTapped(&fyne.PointEvent{}) })
			return
		}
		a.do("new line", func() { a.in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) })
	case 14:
		width := float32(900 + 6*a.next(100))
		a.do(fmt.Sprint("resize ", width), func() { a.w.fyne.Resize(fyne.NewSize(width, 700)) })
	case 15:
		p := phrases[a.next(len(phrases))]
		a.do("replace "+p, func() {
			a.in.replace(p)
			a.w.composer.refresh()
		})
	}
}

func (a *abuser) do(what string, f func()) {
	a.did = append(a.did, what)
	f()
}

func abuse(t *testing.T, keys []byte) {
	w := openTest(t, newFake())
	a := &abuser{w: w, in: w.composer.input, keys: keys}
	w.composer.focus()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%v after:\n%.3000s\n%s", p, strings.Join(a.did[max(0, len(a.did)-25):], "\n"), debug.Stack())
		}
	}()
	for len(a.keys) > 0 {
		a.step()
		a.in.SelectedText()
	}
}

// Whatever is typed, selected, pasted and undone, in whatever script, nothing
// panics (case U4).
func TestTheComposerBearsAnything(t *testing.T) {
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 4))
		keys := make([]byte, 1200)
		for i := range keys {
			keys[i] = byte(random.Uint32())
		}
		abuse(t, keys)
	}
}

func FuzzTextInput(f *testing.F) {
	f.Add([]byte("\x00\x01\x08\x03\x06\x03\x00\x09\x01"))
	f.Fuzz(func(t *testing.T, keys []byte) { abuse(t, keys[:min(len(keys), 400)]) })
}

// A composed phrase arrives rune by rune, in the middle of a text, over a
// selection.
func TestComposedInput(t *testing.T) {
	w := openTest(t, newFake())
	in := w.composer.input
	test.Type(in, "before after")
	for range "after" {
		press(in, fyne.KeyLeft)
	}
	test.Type(in, "日本語をたくさん入力してから確定する。")
	in.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift})
	test.Type(in, "中")
	if !strings.HasPrefix(in.Text, "before ") || !strings.HasSuffix(in.Text, "after") || !strings.Contains(in.Text, "中") {
		t.Errorf("the text is %q", in.Text)
	}
}

// BenchmarkTyping types into the composer while three agents write: one update
// of each for every letter, which is more than anybody can type.
func BenchmarkTyping(b *testing.B) {
	for name, text := range map[string]string{"short": "ask @alice ", "long": strings.Repeat("a line of @alice's text that wraps somewhere\n", 60)} {
		b.Run(name, func(b *testing.B) {
			f := newFake()
			w := openTest(b, f)
			var ids []app.MessageID
			for _, author := range []string{"alice", "garfield", "scout"} {
				e := f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: author, CreatedAt: time.Now(), Parts: []app.Part{
					{Kind: app.TextPart, Text: "# Answer\n\n"},
					{Seq: 1, Kind: app.ToolPart, Tool: &acp.ToolCall{ID: author, Title: "go test", Status: acp.ToolInProgress}},
				}})
				w.apply([]app.Event{e})
				ids = append(ids, e.Message)
			}
			w.composer.input.replace(text)
			w.composer.refresh()
			stream := func() {
				var batch []app.Event
				for _, id := range ids {
					batch = append(batch, f.change(id, func(m *app.Message) { m.Parts[0].Text += "some **more** of it, " }))
				}
				w.apply(batch)
			}
			for range 200 {
				stream()
			}
			typed := 0
			for b.Loop() {
				b.StopTimer()
				stream()
				if typed++; typed > 80 {
					w.composer.input.replace(text)
					typed = 0
				}
				b.StartTimer()
				w.composer.input.TypedRune('x')
			}
		})
	}
}
