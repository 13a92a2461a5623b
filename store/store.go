// Package store keeps the history of one configuration file in an SQLite file:
// channels, messages as they stream in, deliveries, the agents' sessions, drafts
// and the full-text search over it all.
//
// It knows nothing of ACP, of agents beyond their names, or of what a part means.
// Several processes may have the same history open: each sees what the others
// wrote (Watch), and what a dead one left unfinished (Abandoned).
//
// A Store is safe for concurrent use. Times are kept to the microsecond. A write
// that has begun is finished whatever its context, so that leaving the program
// never tears one.
package store

import (
	"encoding/json"
	"time"
)

type (
	ChannelID  int64
	MessageID  int64
	DeliveryID int64
)

// A Channel is a talk of a person with the agents that are its members.
type Channel struct {
	ID          ChannelID
	Name        string // 1 to 64 characters, unique whatever the case
	Description string
	Members     []string // names of agents, in the order they were added
	Hops        int      // how many times in a row agents may address agents; 0 is off
	Position    int      // place in the list of channels, from 0
	ReadUpTo    MessageID
	CreatedAt   time.Time
}

// An Author is an agent's name, or Person.
type Author string

// Person is the author of what the person in front of the window wrote.
const Person Author = ""

// A MessageKind says what sort of thing a message is.
type MessageKind string

const (
	FromPerson MessageKind = "person"
	FromAgent  MessageKind = "agent"
	Notice     MessageKind = "notice" // said by the program
)

// A Message is what one author said at once, in parts.
type Message struct {
	ID         MessageID // in a channel, later messages have greater ids
	Channel    ChannelID
	Author     Author
	Kind       MessageKind
	Hop        int             // how many agents in a row led to this message
	Delivery   DeliveryID      // the delivery that this message answers, 0 for none
	CreatedAt  time.Time       // set by AddMessage when zero
	EndedAt    time.Time       // zero while the message is being written
	Meta       json.RawMessage // small, the application's own: usage, mode…
	Parts      []Part          // by Seq
	Deliveries []Delivery      // by id
}

// A PartKind names what a part is; any string will do. Parts of the kinds Thought,
// Tool and Plan are not searched.
type PartKind string

const (
	Text       PartKind = "text"
	Thought    PartKind = "thought"
	Tool       PartKind = "tool"
	Plan       PartKind = "plan"
	Question   PartKind = "question"
	Form       PartKind = "form"
	NoticePart PartKind = "notice"
	Attachment PartKind = "attachment"
)

// A Part is a piece of a message. The message and Seq are its key.
type Part struct {
	Seq       int // place in the message
	Kind      PartKind
	Text      string
	Data      json.RawMessage
	StartedAt time.Time
	EndedAt   time.Time
}

// A DeliveryState says how far a delivery is.
type DeliveryState string

const (
	Queued    DeliveryState = "queued"
	Starting  DeliveryState = "starting"
	Working   DeliveryState = "working"
	Answered  DeliveryState = "answered"
	Silent    DeliveryState = "silent"
	Cancelled DeliveryState = "cancelled"
	Failed    DeliveryState = "failed"
)

// Final reports whether the delivery is over.
func (s DeliveryState) Final() bool {
	return s != Queued && s != Starting && s != Working
}

// A Delivery is one message on its way to one agent.
type Delivery struct {
	ID         DeliveryID
	Message    MessageID
	Agent      string
	State      DeliveryState
	Reason     string          // why it failed: a key of the catalogue or a sentence, the application's choice
	ReasonArgs json.RawMessage // what the reason's text is filled with
	Command    string          // the agent's command that the message runs, without the slash
	Since      time.Time       // when State was reached
	Answer     MessageID       // 0 while there is none
	Owner      string          // the store that works on it; the writing store when left empty
}

// A Session is an agent's conversation in a channel, as the agent knows it.
type Session struct {
	Channel   ChannelID
	Agent     string
	ID        string    // the agent's name for it
	Seen      MessageID // up to which message the agent has been told
	UpdatedAt time.Time // set by SaveSession when zero
}

// A Hit is a message that was found.
type Hit struct {
	Message   MessageID
	Channel   ChannelID
	Author    Author
	CreatedAt time.Time
	Snippet   string   // the found place with a little text around it, on one line
	Marks     [][2]int // the found words in Snippet, as [start, end) in runes
}

// Changes says what other processes changed in the history.
type Changes struct {
	Messages []MessageID // added or changed, oldest id first; parts and deliveries count
	Removed  []MessageID // deleted, other than with their channel
	Channels bool        // a channel was added, changed, read or deleted
}
