package app

import (
	"encoding/json"
	"fmt"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// meta is what a message has beside its parts, as the history keeps it.
type meta struct {
	Mode  string     `json:"mode,omitempty"`
	Usage *acp.Usage `json:"usage,omitempty"`
}

func (m Message) meta() json.RawMessage { return mustJSON(meta{m.Mode, m.Usage}) }

// record is the part as the history keeps it.
func (p Part) record() store.Part {
	r := store.Part{
		Seq: p.Seq, Kind: store.PartKind(p.Kind), Text: p.Text,
		StartedAt: p.StartedAt, EndedAt: p.EndedAt,
	}
	switch {
	case p.Tool != nil:
		r.Data = mustJSON(p.Tool)
	case p.Kind == PlanPart:
		r.Data = mustJSON(p.Plan)
	case p.Question != nil:
		r.Data = mustJSON(p.Question)
	case p.Notice != nil:
		r.Data = mustJSON(p.Notice)
	case p.Content != nil:
		r.Data = mustJSON(p.Content)
	}
	return r
}

// part reads a part back. What cannot be read is shown as such, not left out.
func part(r store.Part) Part {
	p := Part{
		Seq: r.Seq, Kind: PartKind(r.Kind), Text: r.Text,
		StartedAt: r.StartedAt, EndedAt: r.EndedAt,
	}
	var err error
	switch p.Kind {
	case ToolPart:
		p.Tool = &acp.ToolCall{}
		err = json.Unmarshal(r.Data, p.Tool)
	case PlanPart:
		err = json.Unmarshal(r.Data, &p.Plan)
	case QuestionPart, FormPart:
		p.Question = &Question{}
		err = json.Unmarshal(r.Data, p.Question)
	case NoticePart:
		p.Notice = &Notice{}
		err = json.Unmarshal(r.Data, p.Notice)
	case AttachmentPart:
		p.Content = &acp.ContentBlock{}
		err = json.Unmarshal(r.Data, p.Content)
	}
	if err != nil {
		return Part{Seq: r.Seq, Kind: NoticePart, StartedAt: r.StartedAt, EndedAt: r.EndedAt,
			Notice: &Notice{Severity: Warning, Phrase: phrase("app.UnreadablePart", "Kind", string(r.Kind))}}
	}
	return p
}

// message reads a message back.
func message(r store.Message) Message {
	m := Message{
		ID: r.ID, Channel: r.Channel, Kind: MessageKind(r.Kind), Author: string(r.Author),
		CreatedAt: r.CreatedAt, EndedAt: r.EndedAt, Hop: r.Hop,
	}
	var extra meta
	if len(r.Meta) > 0 && json.Unmarshal(r.Meta, &extra) == nil {
		m.Mode, m.Usage = extra.Mode, extra.Usage
	}
	for _, p := range r.Parts {
		m.Parts = append(m.Parts, part(p))
	}
	for _, d := range r.Deliveries {
		m.Deliveries = append(m.Deliveries, delivery(d))
	}
	return m
}

// reason is why a delivery failed, as the history keeps it.
type reason struct {
	Why *Phrase     `json:"why,omitempty"`
	Fix DeliveryFix `json:"fix,omitempty"`
}

func (d Delivery) record(m MessageID) store.Delivery {
	r := store.Delivery{
		ID: d.ID, Message: m, Agent: d.Agent, State: store.DeliveryState(d.State),
		Since: d.Since, Answer: max(0, d.Answer), // below zero it is in memory only
	}
	if d.Reason != nil || d.Fix != FixNone {
		if d.Reason != nil {
			r.Reason = d.Reason.ID
		}
		r.ReasonArgs = mustJSON(reason{d.Reason, d.Fix})
	}
	return r
}

func delivery(r store.Delivery) Delivery {
	d := Delivery{
		ID: r.ID, Agent: r.Agent, State: DeliveryState(r.State), Since: r.Since, Answer: r.Answer,
	}
	var why reason
	if len(r.ReasonArgs) > 0 && json.Unmarshal(r.ReasonArgs, &why) == nil {
		d.Reason, d.Fix = why.Why, why.Fix
	} else if r.Reason != "" {
		d.Reason = &Phrase{ID: r.Reason}
	}
	return d
}

// phrase is a text of the catalogue; args are key, value pairs.
func phrase(id string, args ...any) *Phrase {
	p := &Phrase{ID: id, English: id}
	for i := 0; i+1 < len(args); i += 2 {
		if p.Args == nil {
			p.Args = map[string]any{}
		}
		p.Args[args[i].(string)] = args[i+1]
		p.English += fmt.Sprintf(" %v", args[i+1])
	}
	return p
}

// because turns an error into a phrase that can be kept: what is localizable
// stays so, causes included. Agents go by the names that the window shows.
func (a *App) because(err error) *Phrase {
	if p, ok := err.(*Phrase); ok {
		return p
	}
	l, ok := localizable(err)
	if !ok {
		return &Phrase{ID: "app.Plain", Args: map[string]any{"Text": err.Error()}, English: err.Error()}
	}
	id, args := l.Localize()
	p := &Phrase{ID: id, English: err.Error(), Args: map[string]any{}}
	for k, v := range args {
		switch arg := v.(type) {
		case error:
			v = a.because(arg)
		case string:
			if k == "Agent" || k == "Other" {
				v = a.title(arg)
			}
		}
		p.Args[k] = v
	}
	return p
}

// UnmarshalJSON reads the arguments back, phrases among them as phrases.
func (p *Phrase) UnmarshalJSON(data []byte) error {
	var raw struct {
		ID      string                     `json:"id"`
		Args    map[string]json.RawMessage `json:"args"`
		English string                     `json:"english"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*p = Phrase{ID: raw.ID, English: raw.English}
	for k, v := range raw.Args {
		if p.Args == nil {
			p.Args = map[string]any{}
		}
		var inner Phrase
		if len(v) > 0 && v[0] == '{' && json.Unmarshal(v, &inner) == nil && inner.ID != "" {
			p.Args[k] = &inner
			continue
		}
		var plain any
		if json.Unmarshal(v, &plain) == nil {
			p.Args[k] = plain
		}
	}
	return nil
}

// mustJSON marshals values of this program's own types, which always works:
// raw JSON of an agent was decoded as such before.
func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}
