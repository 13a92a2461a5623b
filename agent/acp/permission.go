package acp

// MethodRequestPermission is the request by which an agent asks whether it may
// go on with a tool call. It must be answered, by a cancelled turn too.
const MethodRequestPermission = "session/request_permission"

// A PermissionRequest is a question with the answers to choose from. The tool
// call may never have been announced, and the session may be unknown.
type PermissionRequest struct {
	SessionID string                 `json:"sessionId"`
	ToolCall  ToolCallPatch          `json:"toolCall"` // see ToolCall.Apply
	Options   List[PermissionOption] `json:"options"`  // in the agent's order
}

// A PermissionOption is an answer. Its Kind is a hint for its look; several may
// have the same one, and what the answer means is the agent's business.
type PermissionOption struct {
	ID   string         `json:"optionId"`
	Name string         `json:"name"`
	Kind PermissionKind `json:"kind"`
}

func (o PermissionOption) valid() bool { return o.ID != "" }

// A PermissionKind is a hint about an option. There may be others.
type PermissionKind string

// The kinds of the protocol.
const (
	AllowOnce    PermissionKind = "allow_once"
	AllowAlways  PermissionKind = "allow_always"
	RejectOnce   PermissionKind = "reject_once"
	RejectAlways PermissionKind = "reject_always"
)

// A PermissionResponse answers a PermissionRequest.
type PermissionResponse struct {
	Outcome PermissionOutcome `json:"outcome"`
}

// A PermissionOutcome is "selected" with an option's id, or "cancelled".
type PermissionOutcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId,omitempty"`
}

// Selected answers with an option, by its exact id.
func Selected(optionID string) PermissionResponse {
	return PermissionResponse{PermissionOutcome{"selected", optionID}}
}

// Cancelled answers that nothing was chosen, because the turn is cancelled or
// no option fits.
func Cancelled() PermissionResponse {
	return PermissionResponse{PermissionOutcome{Outcome: "cancelled"}}
}
