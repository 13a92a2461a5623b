package acp

// Methods by which an agent reads and writes files through the client.
const (
	MethodReadTextFile  = "fs/read_text_file"
	MethodWriteTextFile = "fs/write_text_file"
)

// A ReadTextFileRequest asks for a file, or for some lines of it. A file that
// does not exist is answered with [CodeNotFound].
type ReadTextFileRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`            // absolute
	Line      int    `json:"line,omitempty"`  // the first, from 1; 0 for the first of all
	Limit     int    `json:"limit,omitempty"` // at most so many lines; 0 for all
}

// A ReadTextFileResponse is the text asked for.
type ReadTextFileResponse struct {
	Content string `json:"content"`
}

// A WriteTextFileRequest replaces a file, creating it when needed. Its answer
// is an empty object.
type WriteTextFileRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"` // absolute
	Content   string `json:"content"`
}
