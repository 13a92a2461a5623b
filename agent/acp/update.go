package acp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// MethodUpdate is the notification by which an agent tells what happens in a
// session, during a turn or at any other time.
const MethodUpdate = "session/update"

// A Kind says what an Update is about.
type Kind string

// The kinds that are decoded.
const (
	KindUserChunk     Kind = "user_message_chunk"
	KindMessageChunk  Kind = "agent_message_chunk"
	KindThoughtChunk  Kind = "agent_thought_chunk"
	KindToolCall      Kind = "tool_call"
	KindToolUpdate    Kind = "tool_call_update"
	KindPlan          Kind = "plan"
	KindCommands      Kind = "available_commands_update"
	KindMode          Kind = "current_mode_update"
	KindConfigOptions Kind = "config_option_update"
	KindSessionInfo   Kind = "session_info_update"
	KindUsage         Kind = "usage_update"
	KindNotice        Kind = "notice"
)

// An Update is one piece of news of a session. Kind says which member is set;
// of a kind that is not known none is, and the update should be ignored.
type Update struct {
	SessionID     string
	Kind          Kind
	Chunk         *Chunk
	ToolCall      *ToolCallPatch // both of tool_call and of tool_call_update
	Plan          List[PlanEntry]
	Commands      List[Command]
	ModeID        string
	ConfigOptions List[ConfigOption]
	SessionInfo   *SessionInfoPatch
	Usage         *Usage
	Notice        *Notice
	Raw           json.RawMessage // the update as received
}

// A Chunk is the next piece of a message or of a thought.
type Chunk struct {
	Content   ContentBlock `json:"content"`
	MessageID string       `json:"messageId,omitempty"` // a new one starts a new message; often missing
}

// A PlanEntry is a step of the plan, which every plan update replaces.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority"` // high, medium, low
	Status   string `json:"status"`   // pending, in_progress, completed
}

// A Command is one that the user may write as /name. A list of them replaces
// the one before.
type Command struct {
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Input       CommandInput `json:"input,omitzero"`
}

// A CommandInput describes what may follow the name.
type CommandInput struct {
	Hint string `json:"hint"`
}

// A SessionInfoPatch changes what is known of a session. Members that are nil
// are left as they are; an empty one clears.
type SessionInfoPatch struct {
	Title     *string `json:"title,omitempty"`
	UpdatedAt *string `json:"updatedAt,omitempty"` // ISO 8601
}

// UnmarshalJSON reads null as empty.
func (p *SessionInfoPatch) UnmarshalJSON(data []byte) error {
	var raw struct{ Title, UpdatedAt json.RawMessage }
	if err := Decode(data, &raw); err != nil {
		return err
	}
	orClear := func(data json.RawMessage) *string {
		if string(data) == "null" {
			return new(string)
		}
		return present[string](data)
	}
	*p = SessionInfoPatch{orClear(raw.Title), orClear(raw.UpdatedAt)}
	return nil
}

// Usage is how full the context of a session is, in tokens, and what the
// session has cost so far.
type Usage struct {
	Used int64 `json:"used"`
	Size int64 `json:"size"`
	Cost Cost  `json:"cost,omitzero"`
}

// A Cost is an amount of money.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // ISO 4217; empty when no cost was told
}

// UnmarshalJSON accepts whole numbers in any notation.
func (u *Usage) UnmarshalJSON(data []byte) error {
	var w struct {
		Used, Size float64
		Cost       Cost
	}
	if err := Decode(data, &w); err != nil {
		return err
	}
	*u = Usage{int64(w.Used), int64(w.Size), w.Cost}
	return nil
}

// A Notice is information for the user that is not part of the conversation.
type Notice struct {
	Severity    string `json:"severity"` // info, warning, error, other
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

func (e PlanEntry) valid() bool { return e.Content != "" }
func (c Command) valid() bool   { return c.Name != "" }

// DecodeUpdate reads the parameters of session/update. It fails when there is
// nothing to be done with them: no update, no kind, a tool call without an id.
func DecodeUpdate(params json.RawMessage) (Update, error) {
	var p struct {
		SessionID string
		Update    json.RawMessage
	}
	if err := Decode(params, &p); err != nil {
		return Update{}, fmt.Errorf("read update: %w", err)
	}
	u := Update{SessionID: p.SessionID, Raw: p.Update}
	if err := u.decode(); err != nil {
		return Update{}, fmt.Errorf("read update: %w", err)
	}
	return u, nil
}

func (u *Update) decode() error {
	var head struct { // with what the most frequent kinds need: text is read once
		SessionUpdate Kind
		Content       json.RawMessage
		MessageID     string
	}
	if len(u.Raw) == 0 {
		return errors.New("there is none")
	}
	if err := Decode(u.Raw, &head); err != nil {
		return err
	}
	if u.Kind = head.SessionUpdate; u.Kind == "" {
		return errors.New("it has no kind")
	}
	var body any
	switch u.Kind {
	case KindUserChunk, KindMessageChunk, KindThoughtChunk:
		u.Chunk = &Chunk{MessageID: head.MessageID}
		if len(head.Content) == 0 {
			return nil
		}
		return u.Chunk.Content.UnmarshalJSON(head.Content)
	case KindToolCall, KindToolUpdate:
		u.ToolCall = new(ToolCallPatch)
		body = u.ToolCall
	case KindSessionInfo:
		u.SessionInfo = new(SessionInfoPatch)
		body = u.SessionInfo
	case KindUsage:
		u.Usage = new(Usage)
		body = u.Usage
	case KindNotice:
		u.Notice = new(Notice)
		body = u.Notice
	case KindPlan, KindCommands, KindMode, KindConfigOptions:
		return u.decodeState()
	default:
		return nil
	}
	if err := Decode(u.Raw, body); err != nil {
		return err
	}
	if u.ToolCall != nil && u.ToolCall.ID == "" {
		return errors.New("its tool call has no id")
	}
	return nil
}

// decodeState reads the kinds that replace a list or a value.
func (u *Update) decodeState() error {
	var w struct {
		Entries           List[PlanEntry]
		AvailableCommands List[Command]
		ConfigOptions     List[ConfigOption]
		CurrentModeID     string
		ModeID            string // what the documentation calls it by mistake
	}
	if err := Decode(u.Raw, &w); err != nil {
		return err
	}
	switch u.Kind {
	case KindPlan:
		u.Plan = w.Entries
	case KindCommands:
		u.Commands = w.AvailableCommands
	case KindConfigOptions:
		u.ConfigOptions = w.ConfigOptions
	case KindMode:
		u.ModeID = cmp.Or(w.CurrentModeID, w.ModeID)
	}
	return nil
}

// MarshalJSON writes the parameters of session/update, for an agent. A kind
// that is not known is written as its Raw.
func (u Update) MarshalJSON() ([]byte, error) {
	raw := u.Raw
	if body := u.body(); body != nil {
		kind, err := json.Marshal(u.Kind)
		if err != nil {
			return nil, err
		}
		members, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		raw = fmt.Appendf(nil, `{"sessionUpdate":%s`, kind)
		if len(members) > len("{}") {
			raw = append(raw, ',')
		}
		raw = append(raw, members[1:]...)
	}
	return json.Marshal(struct {
		SessionID string          `json:"sessionId"`
		Update    json.RawMessage `json:"update"`
	}{u.SessionID, raw})
}

// body returns the object that holds what u tells, nil when there is none.
func (u Update) body() any {
	switch {
	case u.Chunk != nil:
		return u.Chunk
	case u.ToolCall != nil:
		return u.ToolCall
	case u.SessionInfo != nil:
		return u.SessionInfo
	case u.Usage != nil:
		return u.Usage
	case u.Notice != nil:
		return u.Notice
	}
	switch u.Kind {
	case KindPlan:
		return map[string]any{"entries": u.Plan}
	case KindCommands:
		return map[string]any{"availableCommands": u.Commands}
	case KindConfigOptions:
		return map[string]any{"configOptions": u.ConfigOptions}
	case KindMode:
		return map[string]any{"currentModeId": u.ModeID}
	}
	return nil
}
