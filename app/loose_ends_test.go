package app

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/store"
)

// These tests hold what must not stay open for ever: deliveries, messages and
// questions whose turn, channel, process or disk is gone.

// exec changes the history behind the program's back, as another process or a
// failing disk would.
func (w *world) exec(statements string) {
	w.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+w.history()+"?_busy_timeout=10000&_foreign_keys=on")
	if err == nil {
		_, err = db.Exec(statements)
		db.Close()
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// settled waits until no message is being written, no question is open and
// nothing waits for the disk.
func (w *world) settled() {
	w.t.Helper()
	w.until("nothing left open", func() bool {
		for _, m := range w.all() {
			if m.Live() {
				return false
			}
			for _, p := range m.Parts {
				if p.Question != nil && p.Question.State == QuestionOpen {
					return false
				}
			}
		}
		return len(w.Questions()) == 0
	})
}

// forgotten waits until nothing is known of any talk, which no event tells.
func (w *world) forgotten() {
	w.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		w.mu.Lock()
		known := len(w.channels) + len(w.lives) + len(w.jobs) + len(w.rooms) + len(w.App.questions)
		w.mu.Unlock()
		if known == 0 {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%d things are still known", known)
		}
		<-time.After(10 * time.Millisecond)
	}
}

func (w *world) noTroubles() {
	w.t.Helper()
	for _, trouble := range w.Troubles() {
		w.t.Errorf("trouble: %v", trouble)
	}
}

func TestADiskThatFailsAtTheEndOfATurn(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	id := w.send("go !text a; ask t1 yes=allow_once; text b")
	q := w.question()
	w.exec(`CREATE TRIGGER full1 BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END;
		CREATE TRIGGER full2 BEFORE UPDATE OF ended_at ON messages BEGIN SELECT RAISE(ABORT, 'full'); END`)
	w.Answer(q.ID, "yes")
	w.over(id)
	w.until("the trouble to be told", func() bool { return len(w.Troubles()) > 0 })
	w.exec("DROP TRIGGER full1; DROP TRIGGER full2")
	w.settled()
	w.reopen(settings{})
	if d := w.message(id).Deliveries[0]; d.State != Answered {
		t.Errorf("kept as %s", d.State)
	}
	w.settled()
}

func TestALateQuestionIsSettledAfterAnotherTurn(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	w.say("go !late sleep 300ms; late ask t1 yes=allow_once")
	q := w.question()
	w.say("next !text ok")
	w.Answer(q.ID, "yes")
	w.settled()
}

func TestWhatComesLateEndsWithTheProgram(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	w.say("go !late sleep 300ms; late text LATE; late ask t1")
	w.question()
	w.reopen(settings{})
	w.settled()
}

func TestAChannelDeletedDuringATurn(t *testing.T) {
	for name, remove := range map[string]func(*world, ChannelID){
		"here": func(w *world, id ChannelID) {
			if err := w.DeleteChannel(id); err != nil {
				t.Error(err)
			}
		},
		"by another process": func(w *world, id ChannelID) {
			w.exec(fmt.Sprintf("DELETE FROM channels WHERE id = %d; UPDATE clock SET revision = revision + 1, channels = revision + 1", id))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
			id := w.general()
			w.send("go !text a; ask t1; text b")
			w.send("second !echo")
			w.question()
			remove(w, id)
			w.forgotten()
			w.noTroubles()
		})
	}
}

func TestAnotherProcessKilledBesideAWindow(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	cmd, out := w.child("go !text half; wait")
	out.expect("half")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	w.until("the end of what it left open", func() bool {
		list := w.all()
		return len(list) == 2 && list[0].Deliveries[0].State == Failed && !list[1].Live()
	})
}

// Each process knows what its own session was told.
func TestSessionsOfTwoProcesses(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	w := newWorld(t, cast{"alice": {Record: record}}, []string{"alice"}, settings{})
	w.say("one")
	cmd, out := w.child("the code is 4711 !text noted")
	out.expect("answered")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	w.until("the other's answer", func() bool { return len(w.all()) >= 4 })
	w.say("what is the code?")
	prompts := w.prompts(record)
	if last := strings.Join(prompts[len(prompts)-1], "|"); !strings.Contains(last, "4711") {
		t.Errorf("not told: %q", last)
	}
}

func TestWhatIsSentWhileQuittingIsNotLost(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	for i := range 5 {
		if err := w.Send(Outgoing{Channel: w.general(), Text: fmt.Sprint("message ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	w.close()
	s, _, err := store.Open(context.Background(), w.history())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if pending, err := s.Pending(context.Background()); err != nil || len(pending) > 0 {
		t.Errorf("%d deliveries left open, %v", len(pending), err)
	}
}

func TestAMessageThatOneHasBegunToAnswerIsNotEdited(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{})
	busy := w.send("@bob !text busy; wait")
	w.state(busy, Working)
	id := w.send("@alice @bob first !echo")
	w.state(id, Answered)
	w.EditQueued(id, "@alice @bob second !echo")
	w.until("the refusal", func() bool { return len(w.Troubles()) > 0 })
	w.Stop(w.general(), "bob")
	w.over(id)
	m := w.message(id)
	if got := w.message(m.Deliveries[1].Answer).Text(); strings.Contains(got, "second") || strings.Contains(m.Text(), "second") {
		t.Errorf("shown %q, told %q", m.Text(), got)
	}
}

func TestARemovedMemberAnswersNothingMore(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{})
	first := w.send("@alice !text busy; wait")
	w.state(first, Working)
	second := w.send("@alice !text still here")
	if err := w.RemoveMember(w.general(), "alice"); err != nil {
		t.Fatal(err)
	}
	w.over(second)
	if s := w.message(second).Deliveries[0].State; s != Cancelled {
		t.Errorf("the queued message is %s", s)
	}
}

// A retry right after a failure is a delivery like any other: it can be seen
// and withdrawn. What was answered is not delivered again.
func TestRetry(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	for range 10 {
		id := w.send("go !text x; error -32603 no")
		blocker := w.send("block !text y; wait")
		d := w.state(id, Failed)
		w.Retry(d.ID)
		w.until("the retried delivery in the queue", func() bool { return len(w.Queue(w.general())) == 1 })
		w.Withdraw(d.ID)
		w.state(id, Cancelled)
		w.state(blocker, Working)
		w.Stop(w.general(), "")
		w.over(blocker)
	}
	m := w.say("hello !echo")
	count := len(w.all())
	w.Retry(m.Deliveries[0].ID)
	w.say("hello again !echo") // after the retry, in the order of commands
	if n := len(w.all()); n != count+2 {
		t.Errorf("%d messages, want %d", n, count+2)
	}
}

func TestALongTalkIsCutWithAMark(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	w := newWorld(t, cast{"alice": {Record: record}}, []string{"alice"}, settings{})
	for i := range maxTalkMessages + 30 {
		at := now()
		w.keep(&Message{Channel: w.general(), Kind: FromPerson, CreatedAt: at, EndedAt: at,
			Parts: []Part{{Kind: TextPart, Text: fmt.Sprintf("note-%d-", i), StartedAt: at, EndedAt: at}}}, 0)
	}
	w.say("hello")
	told := strings.Join(w.prompts(record)[0], "|")
	if strings.Contains(told, "note-0-") || !strings.Contains(told, "without what is older") || !strings.Contains(told, fmt.Sprintf("note-%d-", maxTalkMessages+29)) {
		t.Errorf("told %q", shorten(told, 300))
	}
}
