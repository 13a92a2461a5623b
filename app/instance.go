package app

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// ErrRaised is what [Open] returns for a second window on a configuration:
// the first has come to the front instead.
var ErrRaised = errors.New("the window that is open on the configuration came to the front")

const (
	raisePatience = 2 * time.Second // with a window that does not answer
	lockPatience  = 2 * time.Second // with one that has just been started, and cannot answer yet
)

// call is how a window is reached by programs that are started later: a port
// of this computer, and what to say there so that nobody else is mistaken for
// them. It stands in a file that only its user can read.
type call struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// callPath is the file in the folder of a history that says how to reach its
// window.
func callPath(history string) string { return filepath.Join(filepath.Dir(history), "window.json") }

// Raise brings the window that is open on a configuration file to the front.
// It reports false when there is none, or none that answers in time.
func Raise(ctx context.Context, configFile string) bool {
	history, err := HistoryPath(configFile)
	return err == nil && raise(ctx, history)
}

func raise(ctx context.Context, history string) bool {
	var c call
	data, err := os.ReadFile(callPath(history))
	if err != nil || json.Unmarshal(data, &c) != nil || c.Token == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, raisePatience)
	defer cancel()
	host, _, err := net.SplitHostPort(c.Address)
	if ip := net.ParseIP(host); err != nil || !ip.IsLoopback() {
		return false
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.Address)
	if err != nil {
		return false // left over from a program that was killed
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()
	if _, err := conn.Write([]byte(c.Token + "\n")); err != nil {
		return false
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	return err == nil && answer == raisedAnswer
}

const raisedAnswer = "in front\n"

// claim makes the window the one of its configuration. When there is one
// already, that comes to the front, and the error is [ErrRaised]. One that has
// just been started, or is closing, is given a moment.
func (a *App) claim(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		release, held := a.store.LockWindow()
		if held {
			a.window = release
			if o.ToFront != nil {
				// Whoever cannot reach this window opens another one, which says so.
				a.reach, _ = listen(o.History, o.ToFront)
			}
			return nil
		}
		if o.ToFront != nil && raise(ctx, o.History) {
			return ErrRaised
		}
		if o.ToFront == nil || !pause(ctx, lockPatience/20) {
			a.troubles = append(a.troubles, phrase("app.SecondWindow"))
			return nil
		}
	}
}

// pause waits, and reports false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// listener answers the programs that are started on the same configuration.
type listener struct {
	net.Listener
	token   string
	toFront func() bool
	serving sync.WaitGroup
	path    string
}

// listen makes the window of a history reachable. toFront brings it to the
// front, and reports false when it does not react.
func listen(history string, toFront func() bool) (*listener, error) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &listener{Listener: socket, token: rand.Text(), toFront: toFront, path: callPath(history)}
	data, err := json.Marshal(call{socket.Addr().String(), l.token})
	if err == nil {
		err = config.ReplaceFile(l.path, data)
	}
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	l.serving.Go(l.accept)
	return l, nil
}

func (l *listener) accept() {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		l.serving.Go(func() { l.answer(conn) })
	}
}

// answer brings the window to the front for whoever knows the token.
func (l *listener) answer(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(raisePatience))
	said := make([]byte, len(l.token)+1)
	if _, err := io.ReadFull(conn, said); err != nil {
		return
	}
	if subtle.ConstantTimeCompare(said, []byte(l.token+"\n")) == 1 && l.toFront() {
		_, _ = conn.Write([]byte(raisedAnswer))
	}
}

// close makes the window unreachable. A nil listener is none.
func (l *listener) close() {
	if l == nil {
		return
	}
	_ = l.Close()
	l.serving.Wait()
	_ = os.Remove(l.path)
}
