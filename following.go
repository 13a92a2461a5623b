package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// following shows what comes of a message: the answers on standard output, one
// agent after the other, and what the agents do meanwhile on standard error.
type following struct {
	*program
	app     *app.App
	events  *app.Subscription
	allow   bool // answer questions with their option to allow once
	message app.MessageID

	out     *output
	told    map[string]bool // tool calls and questions
	current int             // the delivery whose answer is being shown
	begun   bool            // something of that answer was shown
	shown   map[int]int     // how much of each of its parts was shown, in bytes
	failed  bool            // some delivery was not answered
}

// follow returns when every delivery has come to its end. The error is the
// cause of ctx, or that not everybody answered.
func (f *following) follow(ctx context.Context) error {
	for {
		m, err := f.app.Message(f.message)
		if err != nil {
			return fmt.Errorf("read the message: %w", err)
		}
		for _, q := range f.app.Questions() {
			f.settle(q)
		}
		answers := make([]app.Message, len(m.Deliveries))
		for i, d := range m.Deliveries {
			if d.Answer == 0 {
				continue
			}
			if answers[i], err = f.app.Message(d.Answer); err != nil {
				return fmt.Errorf("read the answer of %s: %w", d.Agent, err)
			}
			f.tellTools(answers[i])
		}
		ended := f.show(m.Deliveries, answers)
		if f.out.err != nil {
			return fmt.Errorf("write the answer: %w", f.out.err)
		}
		if ended {
			break
		}
		if _, ok := f.events.Next(ctx); !ok {
			return context.Cause(ctx)
		}
	}
	if f.failed {
		return &failure{code: exitFailed}
	}
	return nil
}

// show writes what is new, and reports whether there will be nothing more.
func (f *following) show(deliveries []app.Delivery, answers []app.Message) bool {
	for ; f.current < len(deliveries); f.current++ {
		d := deliveries[f.current]
		name := ""
		if len(deliveries) > 1 {
			name = d.Agent
		}
		f.write(name, answers[f.current])
		if !d.State.Final() {
			return false
		}
		if f.begun {
			fmt.Fprintln(f.out)
		}
		if d.State == app.Failed || d.State == app.Cancelled {
			f.tellFailure(d)
		}
		f.begun, f.shown = false, nil
	}
	return true
}

// write writes what is new in an answer, after the name of who gives it if
// there is one.
func (f *following) write(name string, answer app.Message) {
	for _, part := range answer.Parts {
		fresh := part.Text[min(f.shown[part.Seq], len(part.Text)):]
		if part.Kind != app.TextPart || fresh == "" {
			continue
		}
		switch {
		case !f.begun && name != "":
			if f.current > 0 {
				fmt.Fprintln(f.out)
			}
			fmt.Fprint(f.out, name+": ")
		case f.begun && f.shown[part.Seq] == 0:
			fmt.Fprint(f.out, "\n\n")
		}
		if f.shown == nil {
			f.shown = map[int]int{}
		}
		f.begun, f.shown[part.Seq] = true, len(part.Text)
		fmt.Fprint(f.out, harmless(fresh))
	}
}

// tellTools tells of each tool call when it has a title, and when it fails.
func (f *following) tellTools(answer app.Message) {
	for _, part := range answer.Parts {
		t := part.Tool
		if t == nil || t.Title == "" {
			continue
		}
		key := fmt.Sprint(answer.ID, " ", t.ID)
		if f.first(key) {
			f.remark(f.texts.Text("cli.Tool", "Agent", answer.Author, "Title", oneLine(t.Title)))
		}
		if t.Status == acp.ToolFailed && f.first(key+" failed") {
			f.remark(f.texts.Text("cli.ToolFailed", "Agent", answer.Author, "Title", oneLine(t.Title)))
		}
	}
}

// settle answers a question, so that no agent waits for somebody who is not
// there. Only one that has exactly one option to allow it once is answered
// with it, if that was asked for.
func (f *following) settle(q app.Question) {
	if !f.first("question " + string(q.ID)) {
		return
	}
	var options []acp.PermissionOption
	for _, o := range q.Options {
		if o.Kind == acp.AllowOnce {
			options = append(options, o)
		}
	}
	option := acp.PermissionOption{Name: f.texts.Text("cli.NotAllowed")}
	if f.allow && len(options) == 1 {
		option = options[0]
	}
	f.remark(f.texts.Text("cli.Asked", "Agent", q.Agent, "Title", oneLine(q.Title), "Answer", oneLine(option.Name)))
	f.app.Answer(q.ID, option.ID)
}

// first reports whether something is to be told for the first time.
func (f *following) first(key string) bool {
	told := f.told[key]
	f.told[key] = true
	return !told
}

// tellFailure says why a delivery was not answered, and what the agent last
// wrote to its stderr.
func (f *following) tellFailure(d app.Delivery) {
	f.failed = true
	reason := f.texts.Text("cli.Cancelled")
	if d.Reason != nil {
		reason = f.texts.Error(d.Reason)
	}
	if d.Agent != "" {
		reason = d.Agent + ": " + reason
	}
	f.remark("sidekicks: " + oneLine(reason))
	f.tellLog(d.Agent)
}

// tellLast tells what the agents that have not answered last wrote to their
// stderr.
func (f *following) tellLast() {
	m, err := f.app.Message(f.message)
	if err != nil {
		return
	}
	for _, d := range m.Deliveries {
		if !d.State.Final() {
			f.tellLog(d.Agent)
		}
	}
}

// logTail is how many lines of an agent's log are shown.
const logTail = 10

func (f *following) tellLog(agent string) {
	lines := f.app.AgentLog(agent)
	for _, line := range lines[max(0, len(lines)-logTail):] {
		f.remark("  " + oneLine(line))
	}
}

// output keeps the first error of writing.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(data []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(data)
	o.err = err
	return n, err
}

// remark writes a line to standard error.
func (p *program) remark(line string) { fmt.Fprintln(p.err, line) }

// harmless takes out of an agent's words what would command a terminal.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// oneLine writes a text on one line.
func oneLine(text string) string {
	return harmless(strings.Join(strings.Fields(text), " "))
}
