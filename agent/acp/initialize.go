package acp

// ProtocolVersion is the version this package speaks.
const ProtocolVersion = 1

// Methods that concern the agent as a whole.
const (
	MethodInitialize   = "initialize"
	MethodAuthenticate = "authenticate"
)

// An InitializeRequest is the first message of every connection.
type InitializeRequest struct {
	ProtocolVersion    int                `json:"protocolVersion"`
	ClientCapabilities ClientCapabilities `json:"clientCapabilities"`
	ClientInfo         Implementation     `json:"clientInfo,omitzero"`
}

// An InitializeResponse says who the agent is and what it can do.
type InitializeResponse struct {
	ProtocolVersion   int               `json:"protocolVersion"`
	AgentCapabilities AgentCapabilities `json:"agentCapabilities"`
	AuthMethods       List[AuthMethod]  `json:"authMethods"`
	AgentInfo         Implementation    `json:"agentInfo,omitzero"`
}

// An Implementation names a program.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// ClientCapabilities are what a client offers. Missing means no.
type ClientCapabilities struct {
	FS          FileCapabilities          `json:"fs"`
	Terminal    Flag                      `json:"terminal"`
	Session     SessionClientCapabilities `json:"session,omitzero"`
	Elicitation ElicitationCapabilities   `json:"elicitation,omitzero"`
}

// FileCapabilities say whether the agent shall read and write files through
// the client. Agents that don't look at them may call the methods all the same.
type FileCapabilities struct {
	ReadTextFile  Flag `json:"readTextFile"`
	WriteTextFile Flag `json:"writeTextFile"`
}

// SessionClientCapabilities are what a client understands of a session.
type SessionClientCapabilities struct {
	ConfigOptions ConfigOptionCapabilities `json:"configOptions,omitzero"`
	Notices       Supported                `json:"notices,omitzero"`
}

// ConfigOptionCapabilities are the types of options beyond select.
type ConfigOptionCapabilities struct {
	Boolean Supported `json:"boolean,omitzero"`
}

// ElicitationCapabilities are the ways a client can ask the user for values.
type ElicitationCapabilities struct {
	Form Supported `json:"form,omitzero"`
	URL  Supported `json:"url,omitzero"`
}

// Advertised returns the capabilities of a client that handles every type of
// this package, and leaves files and terminals to the agent.
func Advertised() ClientCapabilities {
	return ClientCapabilities{
		Session: SessionClientCapabilities{
			ConfigOptions: ConfigOptionCapabilities{Boolean: true},
			Notices:       true,
		},
		Elicitation: ElicitationCapabilities{Form: true},
	}
}

// AgentCapabilities are what an agent offers. Missing means no.
type AgentCapabilities struct {
	LoadSession Flag                `json:"loadSession"`
	Prompt      PromptCapabilities  `json:"promptCapabilities"`
	MCP         MCPCapabilities     `json:"mcpCapabilities"`
	Session     SessionCapabilities `json:"sessionCapabilities,omitzero"`
	Auth        AuthCapabilities    `json:"auth,omitzero"`
}

// PromptCapabilities are the content a prompt may hold besides text and
// resource links.
type PromptCapabilities struct {
	Image           Flag `json:"image"`
	Audio           Flag `json:"audio"`
	EmbeddedContext Flag `json:"embeddedContext"`
}

// MCPCapabilities are the transports of MCP servers besides stdio.
type MCPCapabilities struct {
	HTTP Flag `json:"http"`
	SSE  Flag `json:"sse"`
}

// SessionCapabilities are the optional methods of a session.
type SessionCapabilities struct {
	List   Supported `json:"list,omitzero"`
	Resume Supported `json:"resume,omitzero"`
	Close  Supported `json:"close,omitzero"`
	Delete Supported `json:"delete,omitzero"`
}

// AuthCapabilities are the optional methods of authentication.
type AuthCapabilities struct {
	Logout Supported `json:"logout,omitzero"`
}

// An AuthMethod is a way to authenticate with an agent.
type AuthMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Type is empty for a method that the agent runs itself, "terminal" for one
	// that runs in a terminal, "env_var" for variables to be set before the
	// agent starts. There may be others.
	Type string            `json:"type,omitempty"`
	Args List[string]      `json:"args,omitempty"` // terminal: appended to the agent's command
	Env  map[string]string `json:"env,omitempty"`  // terminal: added to the agent's environment
	Vars List[AuthVar]     `json:"vars,omitempty"` // env_var
}

// An AuthVar is an environment variable that an agent wants.
type AuthVar struct {
	Name string `json:"name"`
}

func (m AuthMethod) valid() bool { return m.ID != "" }
func (v AuthVar) valid() bool    { return v.Name != "" }

// Callable reports whether authenticate may be called with the method. Any
// other is for the user to do.
func (m AuthMethod) Callable() bool { return m.Type == "" || m.Type == "agent" }

// An AuthenticateRequest runs an authentication method that is callable.
type AuthenticateRequest struct {
	MethodID string `json:"methodId"`
}
