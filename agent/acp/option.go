package acp

import "encoding/json"

// A ConfigOption is a choice that a session offers. Those of a type that is
// not known are left out when a list of them is read.
type ConfigOption struct {
	ID          string
	Name        string
	Description string
	Category    string     // "mode", "model", "thought_level", …; a hint
	Type        OptionType // which of the following are meaningful
	Value       string     // select: the value in force
	Choices     []Choice   // select
	On          bool       // boolean
}

// An OptionType is the type of a ConfigOption.
type OptionType string

// The types of options.
const (
	OptionSelect  OptionType = "select"
	OptionBoolean OptionType = "boolean"
)

// A Choice is a value that a select may have.
type Choice struct {
	Value       string `json:"value,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Group       string `json:"-"` // name of the group it is under, if any
}

func (c Choice) valid() bool { return c.Value != "" }

func (o ConfigOption) valid() bool {
	return o.ID != "" && (o.Type == OptionSelect || o.Type == OptionBoolean)
}

// wireOption is a ConfigOption as it is written.
type wireOption struct {
	ID           string             `json:"id"`
	Name         string             `json:"name"`
	Description  string             `json:"description,omitempty"`
	Category     string             `json:"category,omitempty"`
	Type         OptionType         `json:"type"`
	CurrentValue json.RawMessage    `json:"currentValue"`
	Options      List[choiceOrMany] `json:"options,omitempty"`
}

// choiceOrMany is a choice or a group of them.
type choiceOrMany struct {
	Choice
	Group   string       `json:"group,omitempty"`
	Options List[Choice] `json:"options,omitempty"`
}

func (c choiceOrMany) valid() bool { return c.Choice.valid() || len(c.Options) > 0 }

// UnmarshalJSON reads an option, its choices flat or in groups.
func (o *ConfigOption) UnmarshalJSON(data []byte) error {
	var w wireOption
	if err := Decode(data, &w); err != nil {
		return err
	}
	*o = ConfigOption{ID: w.ID, Name: w.Name, Description: w.Description, Category: w.Category, Type: w.Type}
	switch o.Type {
	case OptionBoolean:
		_ = json.Unmarshal(w.CurrentValue, &o.On)
	case OptionSelect:
		_ = json.Unmarshal(w.CurrentValue, &o.Value)
	}
	for _, c := range w.Options {
		if len(c.Options) == 0 {
			o.Choices = append(o.Choices, c.Choice)
		}
		for _, choice := range c.Options {
			choice.Group = c.Name
			if choice.Group == "" {
				choice.Group = c.Group
			}
			o.Choices = append(o.Choices, choice)
		}
	}
	return nil
}

// MarshalJSON writes an option, with neighbours of one group under it.
func (o ConfigOption) MarshalJSON() ([]byte, error) {
	w := wireOption{ID: o.ID, Name: o.Name, Description: o.Description, Category: o.Category, Type: o.Type}
	var value any = o.Value
	if o.Type == OptionBoolean {
		value = o.On
	}
	var err error
	if w.CurrentValue, err = json.Marshal(value); err != nil {
		return nil, err
	}
	for _, c := range o.Choices {
		n := len(w.Options)
		switch {
		case c.Group == "":
			w.Options = append(w.Options, choiceOrMany{Choice: c})
		case n > 0 && w.Options[n-1].Group == c.Group:
			w.Options[n-1].Options = append(w.Options[n-1].Options, c)
		default:
			w.Options = append(w.Options, choiceOrMany{Choice: Choice{Name: c.Group}, Group: c.Group, Options: List[Choice]{c}})
		}
	}
	return json.Marshal(w)
}

// A SetConfigOptionRequest chooses a value of an option.
type SetConfigOptionRequest struct {
	SessionID string     `json:"sessionId"`
	ConfigID  string     `json:"configId"`
	Type      OptionType `json:"type,omitempty"` // "boolean" for a bool, else empty
	Value     any        `json:"value"`          // string or bool
}

// Choose returns the request that sets o of a session to one of its choices.
func (o ConfigOption) Choose(sessionID, value string) SetConfigOptionRequest {
	return SetConfigOptionRequest{SessionID: sessionID, ConfigID: o.ID, Value: value}
}

// Switch returns the request that turns o of a session on or off.
func (o ConfigOption) Switch(sessionID string, on bool) SetConfigOptionRequest {
	return SetConfigOptionRequest{SessionID: sessionID, ConfigID: o.ID, Type: OptionBoolean, Value: on}
}

// A SetConfigOptionResponse holds all options as they are now. ConfigOptions is
// nil when the agent leaves that to an update.
type SetConfigOptionResponse struct {
	ConfigOptions List[ConfigOption] `json:"configOptions"`
}
