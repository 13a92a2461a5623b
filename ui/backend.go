package ui

import (
	"context"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// backend is what the window shows and does: an [app.App], or a small play of
// one in tests. Every method returns at once.
type backend interface {
	Config() config.Config
	Problems() []config.Problem
	Unreadable() error
	SetUI(key, value string) error
	Programs() []assist.Candidate // waits, as the three below do: not for the window's goroutine
	PlanAgent(f assist.Form) (*assist.Plan, error)
	TryAgent(ctx context.Context, p *assist.Plan) (assist.Answer, error)
	AddAgent(p *assist.Plan) error
	Edit(file string, line int) (opened bool, err error)
	Troubles() []error
	Dismiss(trouble error)
	Printer() *i18n.Printer

	Channels() []app.Channel
	Channel(id app.ChannelID) (app.Channel, bool)
	Agents() []app.Agent
	Agent(name string) (app.Agent, bool)
	Files(agent string) (*app.Files, bool)
	AgentTrace(name string, after int64) []app.LogEntry
	Messages(channel app.ChannelID, before app.MessageID, limit int) ([]app.Message, error)
	MessagesAfter(channel app.ChannelID, after app.MessageID, limit int) ([]app.Message, error)
	MessagesAround(channel app.ChannelID, id app.MessageID, limit int) ([]app.Message, error)
	Message(id app.MessageID) (app.Message, error)
	Count(channel app.ChannelID) (int, error)
	Search(query string, limit int) ([]app.Hit, error)
	Questions() []app.Question
	Controls(channel app.ChannelID, agent string) []app.Control
	SetControl(channel app.ChannelID, agent string, c app.Control, value string)
	Sessions(agent string) []app.ChannelID
	Draft(channel app.ChannelID) app.Draft
	SetDraft(channel app.ChannelID, d app.Draft)
	Preview(channel app.ChannelID, text string, to []string) app.Addressing

	Queue(channel app.ChannelID) []app.Waiting

	Send(o app.Outgoing) error
	Stop(channel app.ChannelID, agent string)
	Answer(question app.QuestionID, optionID string)
	AnswerForm(question app.QuestionID, values map[string]any, accept bool)
	Withdraw(delivery app.DeliveryID)
	EditQueued(message app.MessageID, text string)
	Retry(delivery app.DeliveryID)
	CreateChannel(name, description string, agents []string) (app.ChannelID, error)
	RenameChannel(id app.ChannelID, name string) error
	DescribeChannel(id app.ChannelID, text string) error
	DeleteChannel(id app.ChannelID) error
	MoveChannel(id app.ChannelID, place int) error
	Direct(agent string) (app.ChannelID, error)
	AddMember(id app.ChannelID, agent string) error
	RemoveMember(id app.ChannelID, agent string) error
	SetHops(id app.ChannelID, hops int) error
	MarkRead(id app.ChannelID, upTo app.MessageID)
	StartAgent(name string)
	StopAgent(name string)
	RestartAgent(name string)
	Authenticate(agent, methodID string)
	AgentUsage(name string) (app.Usage, bool)
	Memory() (used, installed int64)
	StopPlace(agent string)
	RemovePlace(agent string)
	KillLeftovers(agent string)
	OpenShell(agent string, cols, rows int) (app.Shell, error) // waits: not for the window's goroutine
}

// events is a stream of what changed: an [app.Subscription].
type events interface {
	Next(ctx context.Context) ([]app.Event, bool)
	Close()
}
