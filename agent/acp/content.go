package acp

import "encoding/json"

// A ContentBlock is a piece of a prompt, of a message or of a tool's output.
// Type says which members are meaningful; one that is not known keeps its Type
// alone.
type ContentBlock struct {
	Type        string   `json:"type"`
	Text        string   `json:"text,omitempty"`        // text
	Data        string   `json:"data,omitempty"`        // image, audio: in base64
	MIMEType    string   `json:"mimeType,omitempty"`    // image, audio, resource_link
	URI         string   `json:"uri,omitempty"`         // image, resource_link
	Name        string   `json:"name,omitempty"`        // resource_link
	Title       string   `json:"title,omitempty"`       // resource_link
	Description string   `json:"description,omitempty"` // resource_link
	Size        int64    `json:"size,omitempty"`        // resource_link: bytes
	Resource    Resource `json:"resource,omitzero"`     // resource
}

// A Resource is a file that is embedded, as Text or as Blob.
type Resource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Blob     string `json:"blob,omitempty"` // in base64
}

// Types of content. Text and resource links are allowed in every prompt, the
// others when PromptCapabilities says so.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio"
	ContentResourceLink = "resource_link"
	ContentResource     = "resource"
)

// Text returns a block of text.
func Text(text string) ContentBlock {
	return ContentBlock{Type: ContentText, Text: text}
}

// ResourceLink returns a block that names something the agent can read.
func ResourceLink(name, uri string) ContentBlock {
	return ContentBlock{Type: ContentResourceLink, Name: name, URI: uri}
}

func (b ContentBlock) valid() bool { return b.Type != "" }

// UnmarshalJSON accepts a bare string as text.
func (b *ContentBlock) UnmarshalJSON(data []byte) error {
	type members ContentBlock // without this method
	*b = ContentBlock{}
	if len(data) > 0 && data[0] == '"' {
		b.Type = ContentText
		return json.Unmarshal(data, &b.Text)
	}
	return Decode(data, (*members)(b))
}

// MarshalJSON writes the text of a text block even when it is empty.
func (b ContentBlock) MarshalJSON() ([]byte, error) {
	type members ContentBlock // without this method
	if b.Type != ContentText {
		return json.Marshal(members(b))
	}
	return json.Marshal(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{b.Type, b.Text})
}
