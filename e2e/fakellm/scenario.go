package fakellm

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// answer is what the model says, in no wire format yet: words, or a call of a tool.
type answer struct {
	id    string // distinct for each answer of a server
	words []string
	pause time.Duration // after each word
	call  *call
}

type call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

func (a answer) text() string { return strings.Join(a.words, "") }

var (
	scenarioMarker = regexp.MustCompile(`SCENARIO:(\w+)`)
	toolMarker     = regexp.MustCompile(`(?s)TOOL:(\{.*?\})ENDTOOL`)
)

// choose returns the answer of the last scenario in text. The last, since a prompt may repeat what was said
// earlier in a conversation.
func choose(text string, mayCallTool bool) (answer, error) {
	name, rest := "text", ""
	if all := scenarioMarker.FindAllStringSubmatchIndex(text, -1); all != nil {
		last := all[len(all)-1]
		name, rest = text[last[2]:last[3]], text[last[1]:]
	}
	switch name {
	case "text":
		return say(Reply), nil
	case "echo":
		return say(text), nil
	case "slow":
		a := answer{pause: 200 * time.Millisecond}
		for i := range 200 {
			a.words = append(a.words, fmt.Sprintf("word%d ", i))
		}
		return a, nil
	case "tool":
		if !mayCallTool {
			return say(Reply), nil
		}
		marker := toolMarker.FindStringSubmatch(rest)
		if marker == nil {
			return answer{}, fmt.Errorf("SCENARIO:tool is not followed by TOOL:{…}ENDTOOL")
		}
		c := call{Args: json.RawMessage("{}")}
		if err := json.Unmarshal([]byte(marker[1]), &c); err != nil {
			return answer{}, fmt.Errorf("TOOL: %w", err)
		}
		return answer{call: &c}, nil
	}
	return answer{}, fmt.Errorf("unknown scenario %q", name)
}

func say(text string) answer {
	return answer{words: strings.SplitAfter(text, " "), pause: 5 * time.Millisecond}
}
