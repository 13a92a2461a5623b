package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// mentioned is an agent that the text of the composer names, or "all".
type mentioned struct {
	name       string
	start, end int // in runes
	member     bool
}

// names are the agents that the text names, with @ or by a command of theirs.
func (c *composer) names() (all []mentioned) {
	text := c.input.Text
	if !strings.ContainsAny(text, "@/") {
		return nil
	}
	ch, _ := c.w.backend.Channel(c.channel)
	add := func(from, to int, name string) {
		name = strings.ToLower(name)
		for name != "" {
			if _, known := c.w.backend.Agent(name); known || name == "all" {
				break
			}
			if name == strings.TrimRight(name, "-_") {
				return
			}
			name, to = name[:len(name)-1], to-1
		}
		start := utf8.RuneCountInString(text[:from])
		all = append(all, mentioned{name, start, start + utf8.RuneCountInString(text[from:to]), name == "all" || slices.Contains(ch.Members, name)})
	}
	if rest, command := strings.CutPrefix(text, "/"); command {
		word := rest
		if end := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) }); end >= 0 {
			word = rest[:end]
		}
		if name, _, ok := strings.Cut(word, ":"); ok {
			if add(0, 1+len(word), name); len(all) > 0 {
				return all // it goes to that agent alone
			}
		}
	}
	for _, at := range app.Mentions(text) {
		add(at[0], at[1], text[at[0]+1:at[1]])
	}
	return all
}

// spans colours the names, and the one that is being typed.
func (c *composer) spans(names []mentioned) (all []span) {
	for _, n := range names {
		s := span{n.start, n.end, tokens.Accent, tokens.AccentTint}
		if !n.member {
			s.color, s.tint = tokens.Warn, ""
		}
		all = append(all, s)
	}
	token, start, ok := c.input.token()
	if !ok || !c.w.picker.isOpen() || slices.ContainsFunc(names, func(n mentioned) bool { return n.start == start }) {
		return all
	}
	all = append(all, span{start, start + utf8.RuneCountInString(token), tokens.Accent, tokens.AccentTint})
	slices.SortFunc(all, func(a, b span) int { return a.start - b.start })
	return all
}
