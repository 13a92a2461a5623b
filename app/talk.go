package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// What an agent is told of the talk in its channel, at most.
const (
	maxTalk         = 32 << 10 // bytes in all
	maxTalkMessage  = 8 << 10  // bytes of one message
	maxTalkMessages = 100
)

// prompt is what an agent gets for a message: what was said in the channel
// since its last turn, marked as such, then the message itself with its files.
// A slash command goes without the talk, since an agent only sees it at the
// start of its prompt.
func prompt(agent string, channel Channel, talk []Message, m Message, text string, files []acp.ContentBlock) []acp.ContentBlock {
	if m.Author != "" {
		text = "@" + m.Author + " says to you:\n" + text
	}
	var blocks []acp.ContentBlock
	if !strings.HasPrefix(text, "/") {
		if context := sinceLastTurn(agent, channel, talk); context != "" {
			blocks = append(blocks, acp.Text(context))
		}
	}
	if text != "" || len(files) == 0 {
		blocks = append(blocks, acp.Text(text))
	}
	return append(blocks, files...)
}

// sinceLastTurn tells what others said, the newest if it is too much.
func sinceLastTurn(agent string, channel Channel, talk []Message) string {
	var entries []string
	size, left := 0, false
	for _, m := range slices.Backward(talk) {
		text := shorten(m.Text(), maxTalkMessage)
		for _, f := range links(m) {
			text = strings.TrimSpace(text + "\n[attached: " + f.URI + "]")
		}
		if text == "" || m.Kind == FromApp {
			continue
		}
		entry := speaker(m, agent) + ": " + text
		if size+len(entry) > maxTalk || len(entries) == maxTalkMessages {
			left = true
			break
		}
		size += len(entry)
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return ""
	}
	slices.Reverse(entries)
	var b strings.Builder
	fmt.Fprintf(&b, "[You are @%s in the channel #%s, where several talk: %s. What was said since your last turn", agent, channel.Name, others(agent, channel))
	if left {
		b.WriteString(", without what is older")
	}
	b.WriteString(":]\n\n")
	b.WriteString(strings.Join(entries, "\n\n"))
	b.WriteString("\n\n[End of what was said. The message for you follows.]")
	return b.String()
}

func others(agent string, channel Channel) string {
	names := []string{"the person"}
	for _, m := range channel.Members {
		if m != agent {
			names = append(names, "@"+m)
		}
	}
	return strings.Join(names, ", ")
}

func speaker(m Message, agent string) string {
	switch m.Author {
	case "":
		return "The person"
	case agent:
		return "You (@" + agent + ")"
	}
	return "@" + m.Author
}

// shorten keeps the start of a long text, cut between characters.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + " […]"
}
