package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whatever a peer writes, every line is heard once or is blank, the connection
// lives to the end of the stream, and what is answered is JSON.
func FuzzReader(f *testing.F) {
	for _, text := range []string{
		"banner\n{\"method\":\"m\"}\r\n{\"id\":\"x\",\"method\":\"r\"}\n",
		"{\"id\":1,\"result\":null}\n{\"error\":{\"code\":\"x\"}}\n[]\n\n{",
		"{\"result\":{},\"id\":1}\n\x1b[1m{\"method\":\"m\"}\n\xef\xbb\xbf{\"id\":{},\"method\":\"r\",\"params\":[]}",
		strings.Repeat("x", 5000) + "\n{\"jsonrpc\":\"2.0\",\"method\":\"" + strings.Repeat("y", 5000) + "\",\"id\":3}\n",
		"{\"id\":1,\"method\":\"r\"}\n{\"method\":\"$/cancel_request\",\"params\":{\"requestId\":1}}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &recorder{}
		answers, out := io.Pipe()
		written := make(chan []byte)
		go func() {
			all, _ := io.ReadAll(answers)
			written <- all
		}()
		c := newConn(strings.NewReader(text), out, r, limits{line: 4000, queued: 1 << 20, unsent: 1 << 20})
		<-c.Done()
		for line := range strings.Lines(string(<-written)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("answered %q", line)
			}
		}
		if heard, lines := len(r.all()), strings.Count(text, "\n")+1; heard > lines {
			t.Errorf("%d things heard in %d lines", heard, lines)
		}
	})
}

// BenchmarkUpdate is the way of one update from the line to the handler, of
// 100,000 that arrive in one burst: ns/update, and the median latency of an
// update that arrives alone.
func BenchmarkUpdate(b *testing.B) {
	const burst = 100_000
	line := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"01a22bec-c74e-7211-b841-11c632f04f09","update":{"sessionUpdate":"agent_message_chunk","messageId":"msg_22be41cce001xhj3s7AA6p6HWQ","content":{"type":"text","text":"word "}}}}` + "\n"
	b.Run("burst", func(b *testing.B) {
		text := strings.Repeat(line, burst)
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			c := NewConn(strings.NewReader(text), discard{io.Discard}, counting(func() { n++ }))
			<-c.Done()
			if n != burst {
				b.Fatal(n)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/burst, "ns/update")
	})
	b.Run("alone", func(b *testing.B) {
		r, w := io.Pipe()
		heard := make(chan struct{}, 1)
		c := NewConn(r, discard{io.Discard}, counting(func() { heard <- struct{}{} }))
		took := make([]time.Duration, 0, b.N)
		for b.Loop() {
			start := time.Now()
			_, _ = io.WriteString(w, line)
			<-heard
			took = append(took, time.Since(start))
		}
		w.Close()
		<-c.Done()
		b.ReportMetric(float64(median(took).Nanoseconds()), "median-ns")
	})
}

// counting is a Handler that decodes updates.
type counting func()

func (n counting) Notify(_ string, params json.RawMessage) {
	if u, err := DecodeUpdate(params); err != nil || u.Chunk == nil {
		panic(fmt.Sprint(u, err))
	}
	n()
}

func (counting) Request(_ context.Context, method string, _ json.RawMessage) (any, *Error) {
	return nil, MethodNotFound(method)
}

func (counting) Noise(kind Noise, line string) { panic(line) }

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}
