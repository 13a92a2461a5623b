package acp

import "encoding/json"

// Methods that concern a session. Of the optional ones, load needs
// AgentCapabilities.LoadSession, and list, resume and close a member of
// SessionCapabilities; set_mode, set_model and set_config_option need a session
// that offered modes, models (a legacy) or options.
const (
	MethodNewSession      = "session/new"
	MethodLoadSession     = "session/load"
	MethodResumeSession   = "session/resume"
	MethodListSessions    = "session/list"
	MethodCloseSession    = "session/close"
	MethodPrompt          = "session/prompt"
	MethodCancel          = "session/cancel" // a notification
	MethodSetMode         = "session/set_mode"
	MethodSetModel        = "session/set_model"
	MethodSetConfigOption = "session/set_config_option"
)

// A NewSessionRequest starts a session. Cwd is absolute.
type NewSessionRequest struct {
	Cwd        string          `json:"cwd"`
	MCPServers List[MCPServer] `json:"mcpServers"` // never null
}

// A NewSessionResponse names the session. An agent that gives no SessionID has
// failed.
type NewSessionResponse struct {
	SessionID string `json:"sessionId"`
	SessionState
}

// A LoadSessionRequest reopens a session, and is that of session/resume too.
// session/load replays the history as updates before its answer, a
// [SessionState]; session/resume does not.
type LoadSessionRequest struct {
	SessionID  string          `json:"sessionId"`
	Cwd        string          `json:"cwd"`
	MCPServers List[MCPServer] `json:"mcpServers"` // never null
}

// An MCPServer is one that the agent shall use: a command, or the URL of a
// server of the given type.
type MCPServer struct {
	Type    string          `json:"type"` // "http", "sse"; empty for a command
	Name    string          `json:"name"`
	Command string          `json:"command"`
	Args    List[string]    `json:"args"`
	Env     List[NameValue] `json:"env"`
	URL     string          `json:"url"`
	Headers List[NameValue] `json:"headers"`
}

// MarshalJSON writes the members of the type, all of which are required.
func (s MCPServer) MarshalJSON() ([]byte, error) {
	if s.Type != "" {
		return json.Marshal(struct {
			Type    string          `json:"type"`
			Name    string          `json:"name"`
			URL     string          `json:"url"`
			Headers List[NameValue] `json:"headers"`
		}{s.Type, s.Name, s.URL, s.Headers})
	}
	return json.Marshal(struct {
		Name    string          `json:"name"`
		Command string          `json:"command"`
		Args    List[string]    `json:"args"`
		Env     List[NameValue] `json:"env"`
	}{s.Name, s.Command, s.Args, s.Env})
}

// A NameValue is an environment variable or a header.
type NameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (s MCPServer) valid() bool { return s.Name != "" }
func (v NameValue) valid() bool { return v.Name != "" }

// A SessionState is what may be chosen in a session. When there are
// ConfigOptions, they replace Modes and Models.
type SessionState struct {
	Modes         ModeState          `json:"modes,omitzero"`
	Models        ModelState         `json:"models,omitzero"`
	ConfigOptions List[ConfigOption] `json:"configOptions,omitempty"`
}

// A ModeState is the modes of a session; none when Available is empty.
type ModeState struct {
	Current   string     `json:"currentModeId"`
	Available List[Mode] `json:"availableModes"`
}

// A Mode is a way for an agent to work: asking first, planning only.
type Mode struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// A ModelState is the models of a session; none when Available is empty.
type ModelState struct {
	Current   string      `json:"currentModelId"`
	Available List[Model] `json:"availableModels"`
}

// A Model is a language model that the agent can use.
type Model struct {
	ID          string `json:"modelId"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

func (m Mode) valid() bool  { return m.ID != "" }
func (m Model) valid() bool { return m.ID != "" }

// A SetModeRequest chooses a mode.
type SetModeRequest struct {
	SessionID string `json:"sessionId"`
	ModeID    string `json:"modeId"`
}

// A SetModelRequest chooses a model.
type SetModelRequest struct {
	SessionID string `json:"sessionId"`
	ModelID   string `json:"modelId"`
}

// A ListSessionsRequest asks for the sessions an agent can reopen; Cursor is
// NextCursor of the answer before.
type ListSessionsRequest struct {
	Cwd    string `json:"cwd,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// A ListSessionsResponse is one page of sessions.
type ListSessionsResponse struct {
	Sessions   List[SessionInfo] `json:"sessions"`
	NextCursor string            `json:"nextCursor,omitempty"`
}

// A SessionInfo describes a session that can be reopened.
type SessionInfo struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
	UpdatedAt string `json:"updatedAt,omitempty"` // ISO 8601
}

func (s SessionInfo) valid() bool { return s.SessionID != "" }

// A SessionRequest names a session and nothing else: the parameters of
// session/close and of session/cancel.
type SessionRequest struct {
	SessionID string `json:"sessionId"`
}

// A PromptRequest starts a turn. Agents differ widely on a prompt during a
// turn of the same session: wait for the answer to the one before.
type PromptRequest struct {
	SessionID string             `json:"sessionId"`
	Prompt    List[ContentBlock] `json:"prompt"`
}

// A PromptResponse ends a turn. Updates of the session may follow.
type PromptResponse struct {
	StopReason StopReason      `json:"stopReason"`
	Usage      json.RawMessage `json:"usage,omitempty"` // of the turn, in the agent's own terms
}

// A StopReason says why a turn ended. There may be others.
type StopReason string

// The reasons of the protocol.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal" // the prompt is not part of what follows
	StopCancelled       StopReason = "cancelled"
)
