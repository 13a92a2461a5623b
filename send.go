package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// message is what "sidekicks send" is asked to send.
type message struct {
	text    string
	channel string        // name; "" is the first
	timeout time.Duration // for all the answers
	allow   string        // "once", or "" for no permission at all
}

// send is "sidekicks send": it does what the composer of the window does, and
// shows the answers. It ends with 0 when every agent answered, even with an
// empty text, and with 1 otherwise. The agents are ended when it returns.
func (p *program) send() *cobra.Command {
	var m message
	c := &cobra.Command{
		Use:   "send [--config FILE] [--channel NAME] [--timeout TIME] [--allow once] TEXT...|-",
		Short: p.texts.Text("cli.SendShort"),
		Long:  p.texts.Text("cli.Send"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if m.text, err = p.text(args); err != nil {
				return err
			}
			if m.allow != "" && m.allow != "once" {
				return misused("cli.BadAllow", map[string]any{"Value": m.allow})
			}
			if m.timeout <= 0 {
				return misused("cli.BadDuration", map[string]any{"Value": m.timeout, "Flag": "--timeout"})
			}
			// When nobody reads the answers any more, the agents are still
			// ended: it is an error, not a signal to die of.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			return p.deliver(c.Context(), m)
		},
	}
	c.Flags().StringVar(&m.channel, "channel", "", p.texts.Text("cli.ChannelFlag"))
	c.Flags().DurationVar(&m.timeout, "timeout", 2*time.Minute, p.texts.Text("cli.TimeoutFlag"))
	c.Flags().StringVar(&m.allow, "allow", "", p.texts.Text("cli.AllowFlag"))
	return c
}

// text returns the text to send: the arguments, or standard input for "-".
func (p *program) text(args []string) (string, error) {
	text := strings.Join(args, " ")
	if text == "-" {
		data, err := io.ReadAll(p.in)
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		text = string(data)
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", misused("cli.NothingToSend", nil)
	}
	return text, nil
}

// deliver sends m and waits for the answers.
func (p *program) deliver(ctx context.Context, m message) (err error) {
	path, err := p.file()
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, app.Options{Config: path, Debug: p.debug("acp")})
	if err != nil {
		return err
	}
	// Agents are ended however this ends.
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	for _, trouble := range a.Troubles() {
		p.remark(warning + p.texts.Error(trouble))
	}
	if err := a.Unreadable(); err != nil {
		return err
	}
	if !config.Valid(a.Problems()) {
		return &phrase{"cli.WrongConfig", map[string]any{"Path": path}}
	}
	channel, err := findChannel(a.Channels(), m.channel)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, m.timeout, errLate)
	defer cancel()
	f := &following{
		program: p, app: a, events: a.Subscribe(), allow: m.allow == "once",
		out: &output{w: p.out}, told: map[string]bool{},
	}
	defer f.events.Close()
	if f.message, err = post(ctx, a, channel, m.text); err == nil {
		err = f.follow(ctx)
	}
	switch {
	case errors.Is(err, errLate):
		f.tellLast()
		a.Stop(channel, "")
		return &phrase{"cli.Late", map[string]any{"Time": m.timeout}}
	case ctx.Err() != nil:
		a.Stop(channel, "")
		return &phrase{"cli.Interrupted", nil}
	}
	return err
}

var errLate = errors.New("the time is up")

// findChannel returns the channel called name, with or without "#", or the
// first one.
func findChannel(channels []app.Channel, name string) (app.ChannelID, error) {
	var names []string
	for _, c := range channels {
		if name == "" || strings.EqualFold(c.Name, strings.TrimPrefix(name, "#")) {
			return c.ID, nil
		}
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return app.Channel{}.ID, &phrase{"cli.NoChannel", nil}
	}
	return app.Channel{}.ID, &phrase{"cli.UnknownChannel", map[string]any{"Name": name, "Known": names}}
}

// post puts a text into a channel and returns the message.
func post(ctx context.Context, a *app.App, channel app.ChannelID, text string) (id app.MessageID, err error) {
	type sent struct {
		message app.Message
		err     error
	}
	written := make(chan sent, 1)
	err = a.Send(app.Outgoing{
		Channel: channel, Text: text,
		Sent: func(m app.Message, err error) { written <- sent{m, err} },
	})
	if err != nil {
		return id, err
	}
	select {
	case s := <-written:
		return s.message.ID, s.err
	case <-ctx.Done():
		return id, context.Cause(ctx)
	}
}
