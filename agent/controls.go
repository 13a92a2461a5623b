package agent

import (
	"context"
	"strconv"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Control is something of a session that the person may choose. Agents offer
// it in one of three ways; when one offers options, its modes and models are
// the same thing told twice and left out.
type Control struct {
	Kind    ControlKind
	ID      string // configId of an option; empty for modes and models
	Name    string // as the agent calls it; empty for modes and models
	Current string
	Switch  bool // on or off: Current is "true" or "false"
	Choices []acp.Choice
}

// ControlKind says by which method a control is set.
type ControlKind string

const (
	OptionControl ControlKind = "option" // session/set_config_option
	ModeControl   ControlKind = "mode"   // session/set_mode
	ModelControl  ControlKind = "model"  // session/set_model, of older agents
)

// Controls lists what may be chosen in the session.
func (s *Session) Controls() []Control {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Control
	for _, o := range s.state.ConfigOptions {
		c := Control{Kind: OptionControl, ID: o.ID, Name: o.Name, Current: o.Value, Choices: o.Choices}
		if o.Type == acp.OptionBoolean {
			c.Switch, c.Current = true, strconv.FormatBool(o.On)
		}
		list = append(list, c)
	}
	if len(list) > 0 {
		return list
	}
	if modes := s.state.Modes; len(modes.Available) > 0 {
		c := Control{Kind: ModeControl, Current: modes.Current}
		for _, m := range modes.Available {
			c.Choices = append(c.Choices, acp.Choice{Value: m.ID, Name: m.Name, Description: m.Description})
		}
		list = append(list, c)
	}
	if models := s.state.Models; len(models.Available) > 0 {
		c := Control{Kind: ModelControl, Current: models.Current}
		for _, m := range models.Available {
			c.Choices = append(c.Choices, acp.Choice{Value: m.ID, Name: m.Name, Description: m.Description})
		}
		list = append(list, c)
	}
	return list
}

// Mode is the name of the mode in force, "" when the agent has none. It is
// shown because an agent may act without asking in some modes.
func (s *Session) Mode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.state.ConfigOptions {
		if o.Category == "mode" || o.ID == "mode" {
			return choiceName(o.Choices, o.Value)
		}
	}
	for _, m := range s.state.Modes.Available {
		if m.ID == s.state.Modes.Current {
			return m.Name
		}
	}
	return s.state.Modes.Current
}

func choiceName(choices []acp.Choice, value string) string {
	for _, c := range choices {
		if c.Value == value && c.Name != "" {
			return c.Name
		}
	}
	return value
}

// Set chooses a value of a control, in the way that the control asks for.
func (s *Session) Set(ctx context.Context, c Control, value string) error {
	ctx, cancel := context.WithTimeout(ctx, s.run.agent.times.Call)
	defer cancel()
	var err error
	switch c.Kind {
	case ModeControl:
		err = s.run.conn.Call(ctx, acp.MethodSetMode, acp.SetModeRequest{SessionID: s.id, ModeID: value}, nil)
	case ModelControl:
		err = s.run.conn.Call(ctx, acp.MethodSetModel, acp.SetModelRequest{SessionID: s.id, ModelID: value}, nil)
	default:
		return s.setOption(ctx, c, value)
	}
	if err != nil {
		return s.run.explain(Refused, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Kind == ModeControl {
		s.state.Modes.Current = value
	} else {
		s.state.Models.Current = value
	}
	return nil
}

// setOption sets an option. Some agents answer with the list of options,
// others with nothing and an update.
func (s *Session) setOption(ctx context.Context, c Control, value string) error {
	option := acp.ConfigOption{ID: c.ID}
	request := option.Choose(s.id, value)
	if c.Switch {
		request = option.Switch(s.id, value == "true")
	}
	var answer acp.SetConfigOptionResponse
	if err := s.run.conn.Call(ctx, acp.MethodSetConfigOption, request, &answer); err != nil {
		return s.run.explain(Refused, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer.ConfigOptions != nil {
		s.state.ConfigOptions = answer.ConfigOptions
	}
	return nil
}

// merge takes over what the answer to load or resume says, which leaves out
// what did not change.
func (s *Session) merge(state acp.SessionState) {
	if len(state.Modes.Available) > 0 {
		s.state.Modes = state.Modes
	}
	if len(state.Models.Available) > 0 {
		s.state.Models = state.Models
	}
	if state.ConfigOptions != nil {
		s.state.ConfigOptions = state.ConfigOptions
	}
}

// authenticate signs in by one of the agent's methods. Some agents read
// their credentials only when they start: the caller starts those again.
func (r *run) authenticate(ctx context.Context, method string) error {
	if err := r.conn.Call(ctx, acp.MethodAuthenticate, acp.AuthenticateRequest{MethodID: method}, nil); err != nil {
		return r.explain(Refused, err)
	}
	r.ready(nil)
	return nil
}
