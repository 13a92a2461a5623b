package ui

import (
	"slices"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// showQuestion goes to the oldest question that waits in a channel, and
// reports whether there is one. The focus is in the composer then, where the
// keys 1 to 9 answer.
func (w *window) showQuestion(channel app.ChannelID) bool {
	return w.showAsked(func(q app.Question) bool { return q.Channel == channel })
}

// showQuestionOf goes to the oldest question of an agent, in any channel, and
// reports whether there is one.
func (w *window) showQuestionOf(agent string) bool {
	return w.showAsked(func(q app.Question) bool { return q.Agent == agent })
}

func (w *window) showAsked(wanted func(app.Question) bool) bool {
	all := w.backend.Questions()
	i := slices.IndexFunc(all, func(q app.Question) bool { return q.State == app.QuestionOpen && wanted(q) })
	if i < 0 {
		return false
	}
	if q := all[i]; q.Channel != w.channel {
		w.show(q.Channel)
	}
	w.conversation.find(all[i].Message)
	w.composer.focus()
	return true
}
