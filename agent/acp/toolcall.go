package acp

import "encoding/json"

// A ToolCall is what is known of one use of a tool, the sum of all that was
// said of it. Members that were never told are empty.
type ToolCall struct {
	ID        string
	Name      string // of the tool, for programs
	Title     string // what it does, for people
	Kind      ToolKind
	Status    ToolStatus
	Content   []ToolContent
	Locations []Location
	RawInput  json.RawMessage
	RawOutput json.RawMessage
}

// A ToolKind says what sort of thing a tool does: "read", "edit", "delete",
// "move", "search", "execute", "think", "fetch", "switch_mode", "other", and
// whatever an agent invents.
type ToolKind string

// A ToolStatus says how far a tool call is. There may be others.
type ToolStatus string

// The states of the protocol, and the one that agents add.
const (
	ToolPending    ToolStatus = "pending"
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
	ToolCancelled  ToolStatus = "cancelled"
)

// Ended reports whether nothing more is to be expected of the tool call.
func (s ToolStatus) Ended() bool {
	return s == ToolCompleted || s == ToolFailed || s == ToolCancelled
}

// order compares states: a later one is greater. One that is not known may be
// the last.
func (s ToolStatus) order() int {
	switch s {
	case "":
		return 0
	case ToolPending:
		return 1
	case ToolInProgress:
		return 2
	}
	return 3
}

// A ToolCallPatch is what one message says of a tool call: a new one, or a
// change of one that may have been announced or not. Members that are nil are
// left as they are; lists replace.
type ToolCallPatch struct {
	ID        string             `json:"toolCallId"`
	Name      *string            `json:"name,omitempty"`
	Title     *string            `json:"title,omitempty"`
	Kind      *ToolKind          `json:"kind,omitempty"`
	Status    *ToolStatus        `json:"status,omitempty"`
	Content   *List[ToolContent] `json:"content,omitempty"`
	Locations *List[Location]    `json:"locations,omitempty"`
	RawInput  json.RawMessage    `json:"rawInput,omitempty"`
	RawOutput json.RawMessage    `json:"rawOutput,omitempty"`
}

// UnmarshalJSON takes a member that is null or can't be read as not there.
func (p *ToolCallPatch) UnmarshalJSON(data []byte) error {
	var raw struct {
		ToolCallID                                                         string
		Name, Title, Kind, Status, Content, Locations, RawInput, RawOutput json.RawMessage
	}
	if err := Decode(data, &raw); err != nil {
		return err
	}
	*p = ToolCallPatch{
		ID:        raw.ToolCallID,
		Name:      present[string](raw.Name),
		Title:     present[string](raw.Title),
		Kind:      present[ToolKind](raw.Kind),
		Status:    present[ToolStatus](raw.Status),
		Content:   presentList[ToolContent](raw.Content),
		Locations: presentList[Location](raw.Locations),
	}
	if string(raw.RawInput) != "null" {
		p.RawInput = raw.RawInput
	}
	if string(raw.RawOutput) != "null" {
		p.RawOutput = raw.RawOutput
	}
	return nil
}

// Apply merges a patch into t, whichever came first. The copy of a tool call
// that a permission request carries may be older than what is known: it only
// adds, and never takes the status back.
func (t *ToolCall) Apply(p ToolCallPatch, fromPermission bool) {
	if fromPermission {
		p = p.additions(t)
	}
	t.ID = p.ID
	set(&t.Name, p.Name)
	set(&t.Title, p.Title)
	set(&t.Kind, p.Kind)
	set(&t.Status, p.Status)
	if p.Content != nil {
		t.Content = *p.Content
	}
	if p.Locations != nil {
		t.Locations = *p.Locations
	}
	if p.RawInput != nil {
		t.RawInput = p.RawInput
	}
	if p.RawOutput != nil {
		t.RawOutput = p.RawOutput
	}
}

func set[T any](member *T, value *T) {
	if value != nil {
		*member = *value
	}
}

// additions returns p without what would empty a member of t or take its
// status back.
func (p ToolCallPatch) additions(t *ToolCall) ToolCallPatch {
	p.Name, p.Title, p.Kind = nonzero(p.Name), nonzero(p.Title), nonzero(p.Kind)
	if p.Status != nil && p.Status.order() <= t.Status.order() {
		p.Status = nil
	}
	if p.Content != nil && len(*p.Content) == 0 {
		p.Content = nil
	}
	if p.Locations != nil && len(*p.Locations) == 0 {
		p.Locations = nil
	}
	if string(p.RawInput) == "{}" {
		p.RawInput = nil
	}
	return p
}

func nonzero[T comparable](p *T) *T {
	var zero T
	if p != nil && *p == zero {
		return nil
	}
	return p
}

// A ToolContent is a piece of what a tool call shows. Type says which members
// are meaningful; one that is not known keeps its Type alone.
type ToolContent struct {
	Type       string       `json:"type"`
	Content    ContentBlock `json:"content,omitzero"`     // content
	Path       string       `json:"path,omitempty"`       // diff: absolute
	OldText    *string      `json:"oldText,omitempty"`    // diff: nil for a new file
	NewText    string       `json:"newText,omitempty"`    // diff
	TerminalID string       `json:"terminalId,omitempty"` // terminal: not always one the client knows
}

// Types of ToolContent.
const (
	ToolContentBlock    = "content"
	ToolContentDiff     = "diff"
	ToolContentTerminal = "terminal"
)

func (c ToolContent) valid() bool { return c.Type != "" }

// UnmarshalJSON accepts a content block without its wrapping.
func (c *ToolContent) UnmarshalJSON(data []byte) error {
	var w struct {
		Type       string
		Content    ContentBlock
		Path       string
		OldText    json.RawMessage
		NewText    string
		TerminalID string
	}
	if err := Decode(data, &w); err != nil {
		return err
	}
	*c = ToolContent{w.Type, w.Content, w.Path, present[string](w.OldText), w.NewText, w.TerminalID}
	switch c.Type {
	case ContentText, ContentImage, ContentAudio, ContentResourceLink, ContentResource:
		*c = ToolContent{Type: ToolContentBlock}
		return Decode(data, &c.Content)
	}
	return nil
}

// MarshalJSON writes the new text of a diff even when it is empty.
func (c ToolContent) MarshalJSON() ([]byte, error) {
	type members ToolContent // without this method
	if c.Type != ToolContentDiff {
		return json.Marshal(members(c))
	}
	return json.Marshal(struct {
		members
		NewText string `json:"newText"`
	}{members(c), c.NewText})
}

// A Location is a file that a tool call is about.
type Location struct {
	Path string `json:"path"`           // absolute
	Line int    `json:"line,omitempty"` // from 1; 0 when not told
}

func (l Location) valid() bool { return l.Path != "" }
