package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestNoise(t *testing.T) {
	for _, test := range []struct{ line, heard string }{
		{"Welcome back!", "[noise text after]"},
		{"\x1b[32mready\x1b[0m", "[noise text after]"},
		{`"text"`, "[noise text after]"},
		{"42", "[noise text after]"},
		{"[]", "[noise text after]"},
		{`[{"jsonrpc":"2.0","method":"batch"}]`, "[noise text after]"},
		{"null", "[noise text after]"},
		{"", "[after]"},
		{"  \t\r", "[after]"},
		{"\x1b[0m", "[after]"},
		{`{"method":`, "[noise text after]"},
		{`{"method":7}`, "[noise text after]"},
		{"\xff\xfe{}", "[noise text after]"},
		{`{"level":"info","msg":"started"}`, "[noise object after]"},
		{`{"id":1,"level":"info"}`, "[noise object after]"},
		{`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`, "[noise error after]"},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`, "[noise error after]"},
		{`{"jsonrpc":"2.0","id":9,"result":{}}`, "[noise unmatched after]"},
		{`{"jsonrpc":"2.0","id":{},"result":{}}`, "[noise unmatched after]"},
		{`{"jsonrpc":"2.0","method":"m"}` + "\r", "[m after]"},
		{"\ufeff" + `{"method":"m"}`, "[m after]"},
		{"\x1b]0;title\x07\x1b[?25l" + `{"method":"m"}`, "[m after]"},
		// What a log quotes is not said.
		{`DEBUG {"method":"m"}`, "[noise text after]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{}
			p := connect(t, r)
			p.send(test.line, `{"method":"after"}`)
			synctest.Wait()
			equal(t, test.line, r.all(), test.heard)
		})
	}
}

func TestNoiseIsBoundedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		p := connect(t, r)
		p.send(strings.Repeat("é", 100_000), "b", `{}`)
		synctest.Wait()
		equal(t, "noise", r.all(), "[noise text noise text noise object]")
		if n := len(r.lines[0]); n > maxNoise+len("…") {
			t.Errorf("%d bytes are told", n)
		}
		equal(t, "text", p.Noises(NoiseText), 2)
		equal(t, "object", p.Noises(NoiseObject), 1)
		equal(t, "none", p.Noises(NoisePanic), 0)
	})
}

func TestRequestIDsAreEchoed(t *testing.T) {
	p := connect(t, &recorder{request: func(context.Context, string, json.RawMessage) (any, *Error) {
		return struct{}{}, nil
	}})
	for _, id := range []string{`0`, `-1`, `""`, `"62666f08-627a-4e20-9fd0-c64450193754"`, `1.50`, `18446744073709551616`, `"\u00e9"`, `true`, `{"a":1}`} {
		p.send(`{"id":` + id + `,"method":"m"}`)
		equal(t, id, p.next(), `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
	}
}

func TestUnknownRequestIsAnswered(t *testing.T) {
	p := connect(t, &recorder{})
	p.send(`{"id":1,"method":"craft/drainMidTurnQueue","params":{}}`)
	equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: craft/drainMidTurnQueue"}}`)
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct{ members, want string }{
		{`"result":{}`, "<nil>"},
		{`"result":null`, "<nil>"},
		{`"result":"text"`, "<nil>"},
		{`"result":{},"error":null`, "<nil>"},
		{`"error":{"code":-32000,"message":"Authentication required"}`, "Authentication required (code -32000)"},
		{`"error":{"code":"E1","message":{"a":1}}`, `{"a":1} (code -32603)`},
		{`"error":{"code":"-32002","message":"gone"}`, "gone (code -32002)"},
		{`"error":"broken"`, "broken (code -32603)"},
		{`"error":{"code":-32603,"message":"Internal error","data":{"details":"no such folder"}}`, "Internal error: no such folder (code -32603)"},
		{`"error":{"code":-32603,"message":"Internal error","data":"no such folder"}`, "Internal error: no such folder (code -32603)"},
		{`"error":{"code":-32603,"message":"Internal error","data":[1]}`, "Internal error (code -32603)"},
		{`"error":{"code":1}`, "error (code 1)"},
	} {
		p := connect(t, &recorder{})
		for _, quote := range []string{"", `"`} { // some send a number back as a string
			id, ended := p.call(t.Context())
			p.send(`{` + test.members + `,"id":` + quote + id + quote + `}`)
			equal(t, test.members, <-ended, test.want)
		}
	}
}

func TestLogObjectDoesNotAnswer(t *testing.T) {
	p := connect(t, &recorder{})
	id, ended := p.call(t.Context())
	p.send(`{"level":"info","id":`+id+`}`, `{"id":`+id+`,"error":{"code":5,"message":"real"}}`)
	equal(t, "answer", <-ended, "real (code 5)")
}

func TestLongLine(t *testing.T) {
	fill := strings.Repeat("x", 3*small.line)
	for _, test := range []struct{ name, line string }{
		{"id first", `{"jsonrpc":"2.0","id":ID,"result":{"a":"` + fill + `"}}`},
		{"id last", `{"jsonrpc":"2.0","result":{"id":99,"a":"` + fill + `"},"id":ID}`},
		{"id quoted", `{"result":{"a":"` + fill + `"}, "id" : "ID" }`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := connect(t, &recorder{})
			id, ended := p.call(t.Context())
			p.send(strings.Replace(test.line, "ID", id, 1))
			if err := <-ended; !errors.As(err, new(*TooLongError)) {
				t.Error(err)
			}
			id, ended = p.call(t.Context())
			p.send(`{"id":` + id + `,"result":{}}`)
			equal(t, "next call", <-ended, nil)
		})
	}
	t.Run("notification", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{}
			p := connect(t, r)
			p.send(`{"method":"long","params":"`+fill+`"}`, `{"method":"after"}`)
			synctest.Wait()
			equal(t, "heard", r.all(), "[noise too long after]")
		})
	})
	t.Run("request", func(t *testing.T) {
		p := connect(t, &recorder{})
		p.send(`{"method":"long","id":"r","params":"` + fill + `"}`)
		equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":"r","error":{"code":-32600,"message":"the request is longer than this side reads"}}`)
		p.send(`{"jsonrpc":"2.0","method":"long","params":"` + fill + `","id":7}`)
		equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"the request is longer than this side reads"}}`)
	})
	t.Run("the longest", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{}
			p := connect(t, r)
			line := `{"method":"m","params":""}`
			p.send(strings.Replace(line, `""`, `"`+fill[:small.line-len(line)-1]+`"`, 1))
			p.send(strings.Replace(line, `""`, `"`+fill[:small.line-len(line)]+`"`, 1))
			synctest.Wait()
			equal(t, "heard", r.all(), "[m noise too long]")
		})
	})
	t.Run("without an end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{}
			p := connect(t, r)
			for range 20 {
				_, _ = io.WriteString(p.out, fill)
			}
			p.out.Close()
			<-p.Done()
			equal(t, "heard", r.all(), "[noise too long]")
		})
	})
}

func TestLastTailOfALine(t *testing.T) {
	var all, tail []byte
	for i, n := range []int{10, edge - 20, 5, edge, 1, 3 * edge, 100, edge - 1} {
		part := bytes.Repeat([]byte{byte('a' + i)}, n)
		all, tail = append(all, part...), last(tail, part)
		if want := all[max(0, len(all)-edge):]; !bytes.Equal(tail, want) {
			t.Fatalf("after %d bytes the tail has %d and is wrong", len(all), len(tail))
		}
	}
}

// A permission never overtakes its tool call, an answer never the updates
// before it, not even when the peer ends at once.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{notify: func(string, json.RawMessage) { time.Sleep(time.Millisecond) }}
		p := connect(t, r)
		id, ended := p.call(t.Context())
		want := slices.Repeat([]string{"update"}, 5000)
		for range 5000 {
			p.send(`{"method":"update"}`)
		}
		p.send(`{"id":"p","method":"permission"}`, `{"id":`+id+`,"result":{}}`)
		p.out.Close()
		equal(t, "call", <-ended, nil)
		if got := r.all(); !slices.Equal(got[:5000], want) {
			t.Error("the answer came before the updates")
		}
		<-p.Done()
		synctest.Wait()
		if got := r.all(); !slices.Equal(got, append(want, "permission")) {
			t.Errorf("heard %d, last %s", len(got), got[len(got)-1])
		}
	})
}

func TestFullInboxHoldsThePeerBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := &recorder{notify: func(string, json.RawMessage) { <-release }}
		p := connect(t, r)
		const n, size = 64, 100_000
		written := 0
		go func() {
			for range n {
				p.send(`{"method":"m","params":"` + strings.Repeat("x", size) + `"}`)
				written++
			}
			p.out.Close()
		}()
		synctest.Wait()
		if written == 0 || written > small.queued/size+3 {
			t.Errorf("%d messages were taken in", written)
		}
		close(release)
		<-p.Done()
		equal(t, "delivered", len(r.all()), n)
	})
}

func TestTinyMessagesAreBoundedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := &recorder{notify: func(string, json.RawMessage) { <-release }}
		p := connect(t, r)
		p.send(`{"method":"m"}`)
		written := 0
		go func() {
			for range 10_000 {
				p.send(`{}`)
				written++
			}
			p.out.Close()
		}()
		synctest.Wait()
		// The reader's own buffer holds 64 KiB more.
		if most := small.queued/frameCost + 64<<10/len("{}\n") + 2; written > most || written == 10_000 && most < 10_000 {
			t.Errorf("%d messages were taken in", written)
		}
		close(release)
		<-p.Done()
		equal(t, "delivered", len(r.all()), 10_001)
	})
}
