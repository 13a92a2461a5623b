package guide

import (
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// How long the guide takes for a word: as fast as is pleasant to read along,
// and slow enough to find the Stop button.
const (
	briskly   = 6 * time.Millisecond
	leisurely = 45 * time.Millisecond
)

// A turn is one prompt being answered. Its methods stop when their context
// ends.
type turn struct {
	*guide
	*session
}

// A command is one that the person may write as /name.
type command struct {
	name string
	does string // what it is for: an id of the catalogue
	run  func(*turn, context.Context)
}

func commands() []command {
	return []command{
		{"hello", "guide.CommandHello", func(t *turn, ctx context.Context) { t.recite(ctx, "hello", briskly) }},
		{"agents", "guide.CommandAgents", func(t *turn, ctx context.Context) { t.recite(ctx, "agents", briskly) }},
		{"demo", "guide.CommandDemo", (*turn).demonstrate},
		{"stream", "guide.CommandStream", func(t *turn, ctx context.Context) { t.recite(ctx, "stream", leisurely) }},
		{"markdown", "guide.CommandMarkdown", func(t *turn, ctx context.Context) { t.recite(ctx, "markdown", briskly) }},
	}
}

// commands lists the commands for the client.
func (g *guide) commands() (list acp.List[acp.Command]) {
	for _, c := range commands() {
		list = append(list, acp.Command{Name: c.name, Description: g.texts.Text(c.does)})
	}
	return list
}

var (
	// mentions match the names a message begins with.
	mentions = regexp.MustCompile(`^(?:@[\pL\d_-]+[\s,:;.!]*)+`)
	// slash matches a command, with or without the agent's name.
	slash = regexp.MustCompile(`^/(?:[\w-]+:)?([\w-]+)(?:\s|$)`)
)

// answer answers what the person said: the last text of the prompt. What
// comes before it is what was said in the channel meanwhile.
func (t *turn) answer(ctx context.Context, prompt []acp.ContentBlock) {
	said := ""
	for _, block := range prompt {
		if block.Type == acp.ContentText {
			said = block.Text
		}
	}
	said = strings.TrimSpace(mentions.ReplaceAllString(strings.TrimSpace(said), ""))
	switch c := slash.FindStringSubmatch(said); {
	case c != nil:
		t.command(ctx, c[1])
	case said == "" && len(prompt) > 0 && prompt[len(prompt)-1].Type != acp.ContentText:
		t.say(ctx, t.texts.Text("guide.Nothing"), briskly)
	case said == "": // a mention and nothing more
		t.recite(ctx, "hello", briskly)
	default:
		t.recite(ctx, recognise(said), briskly)
	}
}

func (t *turn) command(ctx context.Context, name string) {
	all := commands()
	if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
		all[i].run(t, ctx)
		return
	}
	text := t.texts.Text("guide.NoSuchCommand", "Name", name) + "\n"
	for _, c := range t.commands() {
		text += "\n- `/guide:" + c.Name + "`: " + c.Description
	}
	t.say(ctx, text, briskly)
}

// recite says the text called name.
func (t *turn) recite(ctx context.Context, name string, pace time.Duration) {
	t.say(ctx, answer(t.texts.Language(), name), pace)
}

// say streams a message, word by word.
func (t *turn) say(ctx context.Context, text string, pace time.Duration) {
	t.stream(ctx, acp.KindMessageChunk, text, pace)
}

// word matches a word with the blanks before it.
var word = regexp.MustCompile(`\s*\S+`)

func (t *turn) stream(ctx context.Context, kind acp.Kind, text string, pace time.Duration) {
	message := newID()
	for _, w := range word.FindAllString(strings.TrimSpace(text), -1) {
		if !pause(ctx, pace) {
			return
		}
		t.update(acp.Update{SessionID: t.id, Kind: kind, Chunk: &acp.Chunk{Content: acp.Text(w), MessageID: message}})
	}
}

// pause waits, and reports whether the turn goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// newID names a session, a message or a tool call.
func newID() string { return rand.Text() }
