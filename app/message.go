package app

import (
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// The identifiers are the store's: they stay the same for good.
type (
	ChannelID = store.ChannelID
	MessageID = store.MessageID
)

// DeliveryID identifies one delivery of a message to one agent.
type DeliveryID = store.DeliveryID

// Channel is a room with its members.
type Channel struct {
	ID          ChannelID
	Name        string // shown as #name
	Description string
	Members     []string // names of agents, also of those no longer in the file
	Hops        int      // how many times agents may address agents in a row; 0 = off
	Unread      int      // messages of others that were not read yet
	Questions   int      // questions of agents waiting for an answer here
	ReadUpTo    MessageID
}

// MessageKind says who a message comes from.
type MessageKind string

const (
	FromPerson MessageKind = "person"
	FromAgent  MessageKind = "agent"
	FromApp    MessageKind = "notice" // something Sidekicks itself has to say
)

// Message is one entry of a channel. An agent's whole turn is one message,
// its thoughts, tool calls, plan and questions being parts of it.
type Message struct {
	ID         MessageID
	Channel    ChannelID
	Kind       MessageKind
	Author     string // an agent's name; empty for the person and for notices
	CreatedAt  time.Time
	EndedAt    time.Time // zero while it is being written
	Parts      []Part
	Deliveries []Delivery
	Hop        int    // how many agents stand between the person and this message
	Mode       string // name of the session's mode at the time, if the agent has any
	Usage      *acp.Usage
}

// Live tells whether the message is still being written.
func (m Message) Live() bool { return m.EndedAt.IsZero() }

// Text is what the message says: its text parts, one paragraph each.
func (m Message) Text() string {
	text := ""
	for _, p := range m.Parts {
		if p.Kind != TextPart || p.Text == "" {
			continue
		}
		if text != "" {
			text += "\n\n"
		}
		text += p.Text
	}
	return text
}

// PartKind tells the parts of a message apart.
type PartKind string

const (
	TextPart       PartKind = "text"
	ThoughtPart    PartKind = "thought"
	ToolPart       PartKind = "tool"
	PlanPart       PartKind = "plan"
	QuestionPart   PartKind = "question" // a permission
	FormPart       PartKind = "form"     // an elicitation
	NoticePart     PartKind = "notice"
	AttachmentPart PartKind = "attachment" // a picture, a resource, anything else an agent sends
)

// Part is one piece of a message, in the order in which the agent sent it.
// Exactly the field of its kind is set.
type Part struct {
	Seq       int // place in the message; stays the same
	Kind      PartKind
	Text      string            // Markdown of a TextPart or ThoughtPart
	Tool      *acp.ToolCall     // ToolPart
	Plan      []acp.PlanEntry   // PlanPart
	Question  *Question         // QuestionPart and FormPart
	Notice    *Notice           // NoticePart
	Content   *acp.ContentBlock // AttachmentPart
	StartedAt time.Time
	EndedAt   time.Time // zero while it goes on
}

// Severity of a notice.
type Severity string

const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Trouble Severity = "error"
)

// Notice is a remark of an agent, or of Sidekicks. What an agent says comes
// in its own words (Title, Description); Sidekicks' own is a Phrase.
type Notice struct {
	Severity    Severity `json:"severity"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Phrase      *Phrase  `json:"phrase,omitempty"`
}

// Phrase is a text of the catalogue with what fills its gaps, kept as such so
// that it reads in the language of the moment. It is an error too.
type Phrase struct {
	ID   string         `json:"id"`
	Args map[string]any `json:"args,omitempty"`
	// English is the text for logs.
	English string `json:"english,omitempty"`
}

// Localize gives the catalogue's key and arguments.
func (p *Phrase) Localize() (string, map[string]any) { return p.ID, p.Args }

func (p *Phrase) Error() string {
	if p.English != "" {
		return p.English
	}
	return p.ID
}

// DeliveryState is where a message is on its way to one agent.
type DeliveryState string

const (
	Queued    DeliveryState = "queued"    // waiting its turn, see Delivery.Place
	Starting  DeliveryState = "starting"  // the agent's process is being started
	Working   DeliveryState = "working"   // the agent has it, see Delivery.Since and Doing
	Answered  DeliveryState = "answered"  //
	Silent    DeliveryState = "silent"    // the turn ended without a word
	Cancelled DeliveryState = "cancelled" // stopped or withdrawn
	Failed    DeliveryState = "failed"    // see Delivery.Reason
)

// Final tells whether nothing more will happen to the delivery by itself.
func (s DeliveryState) Final() bool {
	return s == Answered || s == Silent || s == Cancelled || s == Failed
}

// Delivery is one addressee of a message. A message that names nobody who
// could get it has one failed delivery, so that it never reaches nobody in
// silence; its Agent is empty, or the name that was meant.
type Delivery struct {
	ID     DeliveryID
	Agent  string
	State  DeliveryState
	Place  int           // in the queue, 1 = next; 0 when not queued
	Reason *Phrase       // of a failure, and of waiting ("2 agents are busy")
	Fix    DeliveryFix   // what a click can do about a failure
	Doing  string        // what a working agent does: the title of its running tool call
	Asking bool          // a question of the agent is open
	Since  time.Time     // of the state
	Heard  time.Time     // when the agent last said anything, while working
	Answer MessageID     // the message that answers, 0 if none
	Taken  time.Duration // from prompt to end, once it has ended
}

// DeliveryFix is what the window offers under a failed delivery.
type DeliveryFix string

const (
	FixNone   DeliveryFix = ""
	FixRetry  DeliveryFix = "retry"   // App.Retry
	FixAdd    DeliveryFix = "add"     // App.AddMember, then App.Retry
	FixSignIn DeliveryFix = "sign-in" // App.Authenticate, then App.Retry
)

// QuestionState tells whether a question still waits.
type QuestionState string

const (
	QuestionOpen      QuestionState = "open"
	QuestionAnswered  QuestionState = "answered"
	QuestionCancelled QuestionState = "cancelled"
)

// QuestionID identifies a question while the program runs.
type QuestionID string

// Question is what an agent asks the person: a permission with the agent's
// own options in its own order and words, or a form.
type Question struct {
	ID      QuestionID              `json:"id"`
	Agent   string                  `json:"agent"`
	Channel ChannelID               `json:"channel"`
	Message MessageID               `json:"message"`
	ToolID  string                  `json:"toolId,omitempty"` // the tool call it is about, a part of the same message
	Title   string                  `json:"title,omitempty"`
	Options []acp.PermissionOption  `json:"options,omitempty"` // empty for a form
	Form    *acp.ElicitationRequest `json:"form,omitempty"`
	State   QuestionState           `json:"state"`
	Chosen  string                  `json:"chosen,omitempty"` // optionId, or accept/decline
}

// Hit is one message found by a search.
type Hit = store.Hit
