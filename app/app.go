package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/config/watch"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// Options say what to open.
type Options struct {
	Config  string       // path of the configuration file
	History string       // path of its history; empty: HistoryPath(Config)
	Window  bool         // a window is open on it: a second one is told
	ToFront func() bool  // brings that window to the front; false: it does not react. nil: it cannot
	Times   *agent.Times // nil: agent.DefaultTimes
	Debug   io.Writer    // gets the traffic with agents too; nil: none
}

// watchEvery is how often the history is looked at for what another process
// wrote.
const watchEvery = 300 * time.Millisecond

// abandonedEvery is how often deliveries of processes that are gone are
// looked for.
const abandonedEvery = 5 * time.Second

// App is an open configuration: its agents, channels and history. Its methods
// may be called from any goroutine and do not wait for agents; those that
// change something return at once and tell by an [Event].
type App struct {
	config  atomic.Pointer[config.Config] // in force
	printer atomic.Pointer[i18n.Printer]  // in its language
	path    atomic.Pointer[process.Path]  // where programs are looked for; nil: not known yet
	store   *store.Store
	pool    *agent.Pool
	events  *hub
	shells  shells
	tasks   *tasks
	window  func()    // gives the window's lock back
	reach   *listener // of programs that are started later; nil: there is none

	disk       context.Context // of writing and reading the history: to the very end
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup
	loading    sync.Mutex // held while the channels are read
	reading    sync.Mutex // held while the configuration file is taken up
	flushing   sync.Mutex // held while parts are collected and written, so that they are written in order

	mu          sync.Mutex
	file        watch.Content           // of the configuration file, as it was read last
	problems    []config.Problem        // in there
	started     map[string]config.Agent // the entries that agents were started with, if they are others now
	channels    []Channel
	answered    map[ChannelID]string // the member that answered last
	newest      map[ChannelID]MessageID
	rooms       map[roomKey]*room
	jobs        map[DeliveryID]*job
	lives       map[MessageID]*live           // being written, or not wholly in the history yet
	unsaved     map[MessageID]*Message        // that the history could not take
	unwritten   map[DeliveryID]store.Delivery // likewise, to be written again
	lastTemp    int64                         // ids of what the history could not take, negative
	questions   []*Question
	commands    map[string][]acp.Command
	signedIn    map[string]bool         // signed in since the agent last said it had to
	waiting     map[string][]DeliveryID // for a sign-in
	managing    map[string]Managing     // containers and sandboxes, by agent
	meter       map[string]*reading     // what agents take, as far as it was asked
	troubles    []error
	drafts      map[ChannelID]Draft
	deleted     map[ChannelID]bool // nothing is written in these any more; no other channel gets their number
	flushTime   *time.Timer
	flushTook   time.Duration // by the last flush
	flushFailed bool
	closing     bool
}

// Open opens a configuration file with its history and makes the channels
// that the file asks for. A file with errors opens too, without agents: see
// [App.Problems]. Open fails only when nothing can be shown at all, or with
// [ErrRaised].
func Open(ctx context.Context, o Options) (*App, error) {
	if o.History == "" {
		path, err := HistoryPath(o.Config)
		if err != nil {
			return nil, err
		}
		o.History = path
	}
	history, opening, err := store.Open(ctx, o.History)
	if err != nil {
		return nil, fmt.Errorf("open the history: %w", err)
	}
	a := &App{
		store: history, events: newHub(), tasks: newTasks(), window: func() {},
		answered: map[ChannelID]string{}, newest: map[ChannelID]MessageID{},
		rooms: map[roomKey]*room{}, jobs: map[DeliveryID]*job{}, lives: map[MessageID]*live{},
		unsaved: map[MessageID]*Message{}, unwritten: map[DeliveryID]store.Delivery{}, commands: map[string][]acp.Command{},
		signedIn: map[string]bool{}, waiting: map[string][]DeliveryID{}, drafts: map[ChannelID]Draft{},
		deleted: map[ChannelID]bool{}, started: map[string]config.Agent{},
		managing: map[string]Managing{}, meter: map[string]*reading{},
		troubles: slices.Clone(opening.Warnings),
	}
	a.disk = context.Background()
	a.ctx, a.cancel = context.WithCancel(a.disk)
	a.load(o)
	if o.Window {
		err = a.claim(ctx, o)
	}
	if err == nil {
		err = a.restore(ctx)
	}
	if err != nil {
		_ = a.Close(ctx)
		return nil, err
	}
	a.background.Go(a.tasks.work)
	a.background.Go(a.lookForPrograms)
	a.background.Go(a.followFile)
	a.background.Go(func() { a.store.Watch(a.ctx, watchEvery, a.foreign) })
	a.background.Go(a.takeOver)
	return a, nil
}

// restore brings back what the history knows, and ends what a program that
// was killed left open.
func (a *App) restore(ctx context.Context) error {
	abandoned, err := a.store.Abandoned(ctx)
	a.noticeTrouble(err)
	for _, d := range abandoned {
		a.interrupt(d)
	}
	if err := a.loadChannels(ctx); err != nil {
		return err
	}
	a.declare(ctx)
	for _, c := range a.Config().Agents {
		a.loadCommands(c.Name)
	}
	return nil
}

// takeOver looks now and then for what another process left open when it was
// killed.
func (a *App) takeOver() {
	ticker := time.NewTicker(abandonedEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-a.ctx.Done():
			return
		}
		abandoned, err := a.store.Abandoned(a.disk)
		a.noticeTrouble(err)
		for _, d := range abandoned {
			a.interrupt(d)
		}
	}
}

// interrupt ends a delivery whose program is gone, with the message that was
// answering it.
func (a *App) interrupt(d store.Delivery) {
	failed := delivery(d)
	failed.State, failed.Since = Failed, time.Now()
	failed.Reason, failed.Fix = phrase("app.Interrupted"), FixRetry
	a.saveDelivery(failed.record(d.Message))
	if m, err := a.store.Message(a.disk, d.Message); err == nil {
		defer a.publish(Event{Kind: MessageChanged, Channel: m.Channel, Message: d.Message},
			Event{Kind: MessageChanged, Channel: m.Channel, Message: d.Answer})
	}
	if d.Answer == 0 {
		return
	}
	stored, err := a.store.Message(a.disk, d.Answer)
	if err != nil || !stored.EndedAt.IsZero() {
		return
	}
	l := newLive(message(stored))
	for _, p := range l.Parts {
		if p.Question != nil && p.Question.State == QuestionOpen {
			l.settle(p.Question.ID, QuestionCancelled, "", time.Now())
		}
	}
	l.end(time.Now(), true)
	a.complete(l)
}

// Close ends every turn and every agent, waits for their afterStop commands,
// writes what is left and closes the history. What still waited in a queue
// is marked as not delivered.
func (a *App) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closing = true
	for _, j := range a.jobs {
		j.cancel(errQuit)
	}
	a.mu.Unlock()
	a.reach.close()
	a.shells.close()
	a.pool.Close()
	a.tasks.close()
	a.cancel()
	a.background.Wait()
	a.flush()
	a.events.close()
	a.window()
	return a.store.Close()
}

// errQuit is why turns are cancelled when the program quits.
var errQuit = errors.New("sidekicks is quitting")

// Subscribe starts a stream of what changes from now on.
func (a *App) Subscribe() *Subscription { return a.events.subscribe() }

func (a *App) publish(events ...Event) {
	for _, e := range events {
		a.events.publish(e)
	}
}

// Config is the configuration in force.
func (a *App) Config() config.Config { return *a.config.Load() }

// Printer writes texts in the configured language.
func (a *App) Printer() *i18n.Printer { return a.printer.Load() }

// Troubles are what the person must be told of the program itself: a history
// that was set aside, a second window, a full disk. Each is localizable.
func (a *App) Troubles() []error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.troubles)
}

// Tell adds to the list what went wrong outside the App; it should be localizable.
func (a *App) Tell(trouble error) { a.noticeTrouble(trouble) }

// Hide returns a text without the values of the agents' env.
func (a *App) Hide(text string) string {
	var envs []map[string]string
	for _, c := range a.Config().Agents {
		envs = append(envs, c.Env)
	}
	return agent.Hide(text, envs...)
}

// Dismiss takes a trouble off the list.
func (a *App) Dismiss(trouble error) {
	a.mu.Lock()
	a.troubles = slices.DeleteFunc(a.troubles, func(t error) bool { return t == trouble })
	a.mu.Unlock()
	a.publish(Event{Kind: TroublesChanged})
}

// noticeTrouble tells of an error of the history, each once while it stays.
func (a *App) noticeTrouble(err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, store.ErrNotFound) {
		return // what is gone needs no writing
	}
	a.mu.Lock()
	known := slices.ContainsFunc(a.troubles, func(t error) bool { return t.Error() == err.Error() })
	if !known {
		a.troubles = append(a.troubles, err)
	}
	a.mu.Unlock()
	if !known {
		a.publish(Event{Kind: TroublesChanged})
	}
}

// present are the names of the agents in the file.
func (a *App) present() []string {
	var names []string
	for _, c := range a.Config().Agents {
		names = append(names, c.Name)
	}
	return names
}

func localizable(err error) (i18n.Localizable, bool) {
	var l i18n.Localizable
	return l, errors.As(err, &l)
}

// foreign takes up what another process wrote into the history: `sidekicks
// send`, or a second window.
func (a *App) foreign(c store.Changes) {
	if c.Channels {
		a.noticeTrouble(a.loadChannels(a.ctx))
		a.publish(Event{Kind: ChannelsChanged})
	}
	for _, id := range c.Messages {
		m, err := a.store.Message(a.disk, id)
		if err != nil {
			continue // deleted meanwhile
		}
		kind := MessageChanged
		a.mu.Lock()
		if id > a.newest[m.Channel] {
			a.newest[m.Channel], kind = id, MessageAdded
		}
		if m.Kind == store.FromAgent && id >= a.newest[m.Channel] {
			a.answered[m.Channel] = string(m.Author)
		}
		a.mu.Unlock()
		a.publish(Event{Kind: kind, Channel: m.Channel, Message: id})
	}
	for _, id := range c.Removed {
		a.publish(Event{Kind: MessageRemoved, Message: id})
	}
	if len(c.Messages)+len(c.Removed) > 0 {
		a.countUnread()
	}
}

// sameName compares channel names as the specification says: whatever the case.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }
