package app

import (
	"slices"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// live is a message that an agent is writing, or wrote last: the timeline of
// one turn. It grows by what the agent sends and knows which of its parts are
// not in the history yet. App.mu guards it.
type live struct {
	Message
	texts     map[int]*strings.Builder // of the text parts still growing
	tools     map[string]int           // part by tool call id
	lastChunk string                   // ACP's id of the message that grows
	dirty     map[int]bool             // parts to write
	endDirty  bool                     // its end is to write
	metaDirty bool                     // Mode or Usage to write
	spoke     bool                     // anything but usage and the like was said
	touched   time.Time                // when the agent last added to it
	late      bool                     // outside a turn: ends by itself
}

func newLive(m Message) *live {
	return &live{
		Message: m, texts: map[int]*strings.Builder{}, tools: map[string]int{},
		dirty: map[int]bool{}, touched: time.Now(),
	}
}

// snapshot is a copy that does not change any more. Texts share their bytes
// with the builder, which only ever appends behind them.
func (l *live) snapshot() Message {
	m := l.Message
	m.Parts = slices.Clone(l.Parts)
	for seq, b := range l.texts {
		m.Parts[seq].Text = b.String()
	}
	m.Deliveries = slices.Clone(l.Deliveries)
	return m
}

// content tells whether an update adds something to read. The rest concerns
// the session, not the talk.
func content(u acp.Update) bool {
	switch u.Kind {
	case acp.KindMessageChunk, acp.KindThoughtChunk:
		return u.Chunk.Content.Type != acp.ContentText || u.Chunk.Content.Text != ""
	case acp.KindToolCall, acp.KindToolUpdate, acp.KindNotice:
		return true
	case acp.KindPlan:
		return len(u.Plan) > 0
	}
	return false
}

// apply adds an update to the timeline and tells whether anything changed.
// Kinds that are not known are left out (acp.md, interoperability no. 5).
func (l *live) apply(u acp.Update, now time.Time) bool {
	l.touched = now
	switch u.Kind {
	case acp.KindMessageChunk:
		return l.chunk(TextPart, u.Chunk, now)
	case acp.KindThoughtChunk:
		return l.chunk(ThoughtPart, u.Chunk, now)
	case acp.KindToolCall, acp.KindToolUpdate:
		l.tool(*u.ToolCall, false, now)
	case acp.KindPlan:
		l.plan(u.Plan, now)
	case acp.KindNotice:
		n := &Notice{Severity: severity(u.Notice.Severity), Title: u.Notice.Title, Description: u.Notice.Description}
		l.add(Part{Kind: NoticePart, Notice: n, EndedAt: now}, now)
	case acp.KindUsage:
		l.Usage, l.metaDirty = u.Usage, true
	default:
		return false
	}
	return true
}

// chunk appends to the part that grows. Another kind, another message id, or
// something in between starts a new one.
func (l *live) chunk(kind PartKind, c *acp.Chunk, now time.Time) bool {
	if c.Content.Type != acp.ContentText {
		block := c.Content
		l.add(Part{Kind: AttachmentPart, Content: &block, EndedAt: now}, now)
		return true
	}
	if c.Content.Text == "" {
		return false
	}
	last := len(l.Parts) - 1
	grows := last >= 0 && l.Parts[last].Kind == kind && l.Parts[last].EndedAt.IsZero() &&
		(c.MessageID == "" || l.lastChunk == "" || c.MessageID == l.lastChunk)
	if !grows {
		last = l.add(Part{Kind: kind}, now)
		l.texts[last] = &strings.Builder{}
	}
	l.lastChunk = c.MessageID
	l.texts[last].WriteString(c.Content.Text)
	l.dirty[last] = true
	l.spoke = true
	return true
}

// add appends a part; texts before it are complete.
func (l *live) add(p Part, now time.Time) int {
	l.endTexts(now)
	p.Seq, p.StartedAt = len(l.Parts), now
	l.Parts = append(l.Parts, p)
	l.dirty[p.Seq] = true
	l.spoke = true
	l.lastChunk = ""
	return p.Seq
}

func (l *live) endTexts(now time.Time) {
	for seq, b := range l.texts {
		l.Parts[seq].Text, l.Parts[seq].EndedAt = b.String(), now
		l.dirty[seq] = true
		delete(l.texts, seq)
	}
}

// tool creates or changes the part of a tool call, whichever message tells
// of it first (interoperability no. 8 and 9).
func (l *live) tool(patch acp.ToolCallPatch, fromPermission bool, now time.Time) {
	seq, known := l.tools[patch.ID]
	if !known {
		seq = l.add(Part{Kind: ToolPart, Tool: &acp.ToolCall{}}, now)
		l.tools[patch.ID] = seq
	}
	call := *l.Parts[seq].Tool // a copy: snapshots keep the old one
	call.Apply(patch, fromPermission)
	p := &l.Parts[seq]
	p.Tool = &call
	if over(call.Status) {
		if p.EndedAt.IsZero() {
			p.EndedAt = now
		}
	} else {
		p.EndedAt = time.Time{}
	}
	l.dirty[seq] = true
}

func over(s acp.ToolStatus) bool {
	return s == acp.ToolCompleted || s == acp.ToolFailed || s == acp.ToolCancelled
}

// plan replaces the plan where it stands.
func (l *live) plan(entries []acp.PlanEntry, now time.Time) {
	seq := slices.IndexFunc(l.Parts, func(p Part) bool { return p.Kind == PlanPart })
	if seq < 0 {
		seq = l.add(Part{Kind: PlanPart}, now)
	}
	l.Parts[seq].Plan = entries
	l.dirty[seq] = true
}

// ask adds a question under the tool call it is about.
func (l *live) ask(q *Question, patch acp.ToolCallPatch, now time.Time) {
	if patch.ID != "" {
		l.tool(patch, true, now)
		q.ToolID = patch.ID
		if call := l.Parts[l.tools[patch.ID]].Tool; q.Title == "" {
			q.Title = call.Title
		}
	}
	kind := QuestionPart
	if q.Form != nil {
		kind = FormPart
		q.Title = q.Form.Message
	}
	l.add(Part{Kind: kind, Question: q}, now)
}

// settle closes a question.
func (l *live) settle(id QuestionID, state QuestionState, chosen string, now time.Time) {
	for seq := range l.Parts {
		p := &l.Parts[seq]
		if p.Question == nil || p.Question.ID != id {
			continue
		}
		q := *p.Question
		q.State, q.Chosen = state, chosen
		p.Question, p.EndedAt = &q, now
		l.dirty[seq] = true
	}
}

// end completes the message. Tool calls that never got an end were cut off
// with their turn.
func (l *live) end(now time.Time, cancelled bool) {
	l.endTexts(now)
	for seq := range l.Parts {
		p := &l.Parts[seq]
		if !p.EndedAt.IsZero() {
			continue
		}
		p.EndedAt = now
		l.dirty[seq] = true
		if p.Tool != nil && cancelled {
			call := *p.Tool
			call.Status = acp.ToolCancelled
			p.Tool = &call
		}
	}
	l.EndedAt = now
}

// doing is what the agent is at: the title of the tool call that runs.
func (l *live) doing() string {
	for _, p := range slices.Backward(l.Parts) {
		if p.Kind == ToolPart && p.EndedAt.IsZero() {
			if p.Tool.Title != "" {
				return p.Tool.Title
			}
			return p.Tool.Name
		}
	}
	return ""
}

// asking tells whether a question of the message is open.
func (l *live) asking() bool {
	return slices.ContainsFunc(l.Parts, func(p Part) bool { return p.Question != nil && p.Question.State == QuestionOpen })
}

func severity(s string) Severity {
	switch s {
	case "warning":
		return Warning
	case "error":
		return Trouble
	}
	return Info
}

// newQuestion is an agent's question as the window shows it.
func newQuestion(q agent.Question, m Message) *Question {
	return &Question{
		ID: QuestionID(q.ID), Agent: q.Agent, Channel: m.Channel, Message: m.ID,
		Options: q.Options, Form: q.Form, State: QuestionOpen,
	}
}
