package assist

import "git.rickub.com/bots-garden/sidekicks/app/i18n"

// phrase is an error told in a text of the catalogue.
type phrase struct {
	id   string
	args map[string]any
}

func (p *phrase) Error() string { return i18n.For("en").Error(p) }

// Localize implements the errors of package i18n.
func (p *phrase) Localize() (string, map[string]any) { return p.id, p.args }
