//go:build linux

package observertest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ask makes a request and returns its status, headers and body.
func ask(t testing.TB, method, url, host string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		request.Host = host
	}
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func get(t testing.TB, url string, v any) {
	t.Helper()
	_, body := ask(t, http.MethodGet, url, "")
	if err := json.Unmarshal([]byte(body), v); err != nil {
		t.Fatalf("%s: %v\n%.200s", url, err, body)
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env = []string{"OBSERVER_ALLOW=box.test, Other.Test:99"}
	o := b.start(0)
	for _, test := range []struct {
		method, path, host string
		status             int
	}{
		{"GET", "", "", 200},
		{"HEAD", "", "", 200},
		{"GET", "healthz", "", 200},
		{"GET", "state", "", 200},
		{"GET", "state?team=../../etc", "", 200},
		{"GET", "rows?before=%ff.NaN&agent=__proto__", "", 200},
		{"GET", "../../etc/passwd", "", 404},
		{"GET", "%2e%2e/%00", "", 404},
		{"POST", "", "", 405},
		{"PUT", "state", "", 405},
		{"DELETE", "healthz", "", 405},
		{"OPTIONS", "", "", 405},
		// A port published under another number, and another name.
		{"GET", "", "localhost:9999", 200},
		{"GET", "", "LOCALHOST", 200},
		{"GET", "", "[::1]:4317", 200},
		{"GET", "", "box.test:4317", 200},
		{"GET", "", "other.test:99", 200},
		// A page of another site whose name was made to point here.
		{"GET", "", "evil.test", 403},
		{"GET", "", "evil.test:4317", 403},
		{"GET", "state", "localhost.evil.test", 403},
		{"GET", "events", "127.0.0.1.evil.test:4317", 403},
		{"GET", "", "192.168.1.7:4317", 403},
		{"GET", "", "other.test:98", 403},
		{"POST", "", "evil.test", 403},
	} {
		t.Run(test.method+" "+test.path+" "+test.host, func(t *testing.T) {
			response, body := ask(t, test.method, o.url+test.path, test.host)
			if response.StatusCode != test.status {
				t.Errorf("status %d, want %d", response.StatusCode, test.status)
			}
			if test.method == "HEAD" && body != "" {
				t.Errorf("a HEAD has a body: %q", body)
			}
			for header, want := range map[string]string{"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin"} {
				if got := response.Header.Get(header); !strings.HasPrefix(got, want) {
					t.Errorf("%s is %q", header, got)
				}
			}
			if got := response.Header.Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("other sites may read it: %q", got)
			}
		})
	}
	if policy := get1(t, o.url, "Content-Security-Policy"); strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

func get1(t *testing.T, url, header string) string {
	t.Helper()
	response, _ := ask(t, http.MethodGet, url, "")
	return response.Header.Get(header)
}

// dial connects to the Observer.
func (o *observer) dial() net.Conn {
	o.t.Helper()
	conn, err := net.DialTimeout("tcp", o.host(), patience)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		o.t.Fatal(err)
	}
	return conn
}

// healthy fails the test when the Observer does not answer any more.
func (o *observer) healthy() {
	o.t.Helper()
	if _, body := ask(o.t, http.MethodGet, o.url+"healthz", ""); body != "ok\n" {
		o.t.Errorf("healthz says %q", body)
	}
}

// The port is the one of OTLP, whose exporters may talk to it.
func TestWhatIsNotHTTP(t *testing.T) {
	t.Parallel()
	o := newBox(t).start(0)
	for name, sent := range map[string]string{
		"gRPC":              "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00",
		"TLS":               "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 500),
		"zeros":             strings.Repeat("\x00", 1<<16),
		"SSH":               "SSH-2.0-OpenSSH_9.6\r\n",
		"long header":       "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
		"two lengths":       "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		"CONNECT":           "CONNECT evil.test:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"no host":           "GET / HTTP/1.1\r\n\r\n",
		"address of a site": "GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
	} {
		conn := o.dial()
		if _, err := io.WriteString(conn, sent); err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
			t.Errorf("%s: %v", name, err)
		}
		answer := make([]byte, 64)
		n, _ := io.ReadFull(conn, answer)
		if first := string(answer[:n]); strings.Contains(first, " 200 ") {
			t.Errorf("%s is answered by %q", name, first)
		}
		_ = conn.Close()
	}
	// An exporter that speaks HTTP.
	response, _ := ask(t, http.MethodPost, o.url+"v1/traces", "")
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("an exporter is told %d", response.StatusCode)
	}
	o.healthy()
}

func TestThousandConnections(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead)
	o := b.start(0)
	for i := range 1000 {
		conn := o.dial()
		if i%2 == 0 {
			if _, err := io.WriteString(conn, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	o.healthy()
	if m := o.memory(); m > 150<<20 {
		t.Errorf("%d MB of memory", m>>20)
	}
}

// memory returns the most that the Observer had of memory, in bytes.
func (o *observer) memory() int {
	o.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", o.cmd.Process.Pid))
	if err != nil {
		o.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		o.t.Fatal(err)
	}
	return kilobytes << 10
}

// A page that does not read costs no memory, and delays no other. When it
// reads again it has all that it missed.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead)
	b.add(lead, said("m", 1, "end_turn", text("start")))
	o := b.start(0)
	slow := o.dial()
	if err := slow.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(slow, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	quick := o.listen("", "")
	quick.read()
	for i := range 30 {
		rows := make([]any, 0, 100)
		for range 70 {
			rows = append(rows, said("m", 1, "end_turn", text(strings.Repeat("y", 4000))))
		}
		mark := "mark " + strconv.Itoa(i)
		b.add(lead, append(rows, said("m", 1, "end_turn", text(mark)))...)
		quick.await(mark, func(v view) bool { return v.Rows[len(v.Rows)-1].Text == mark })
		quick.now.Rows = quick.now.Rows[len(quick.now.Rows)-1:]
	}
	if m := o.memory(); m > 150<<20 {
		t.Errorf("%d MB of memory", m>>20)
	}
	for in := bufio.NewReader(slow); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("the slow page did not get the latest row: %v", err)
		}
		if strings.Contains(line, `"mark 29"`) {
			break
		}
	}
}

// A page that comes again gets all there is, also from an Observer that was
// started anew.
func TestReconnect(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead, member{Name: "builder", Pane: "in-process"})
	b.add(lead, sends("a", "team-lead", "builder", "Start.")...)
	for range 2 {
		o := b.start(0)
		for range 2 {
			v := o.listen("", "").await("all of it", func(v view) bool { return v.Team.ID != "" && len(v.Rows) > 0 && len(v.Messages) > 0 })
			if len(v.Rows) != 2 || v.Messages[1].Text != "Start." {
				t.Errorf("a page that comes again knows %+v", v)
			}
		}
		o.stop()
	}
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for set, want := range map[string]string{
		"OBSERVER_PORT=" + port:       "observer: cannot listen: port " + port + " is in use; set OBSERVER_PORT to another one",
		"OBSERVER_PORT=many":          `observer: OBSERVER_PORT is "many": it is a number from 0 to 65535`,
		"OBSERVER_PORT=70000":         `observer: OBSERVER_PORT is "70000": it is a number from 0 to 65535`,
		"OBSERVER_HOST=192.0.2.77":    "observer: cannot listen: ",
		"OBSERVER_HOST=no.such.local": "observer: cannot listen: ",
	} {
		cmd := exec.Command("node", script)
		cmd.Env = append(os.Environ(), "CLAUDE_DIR="+t.TempDir(), "OBSERVER_HOST=127.0.0.1", "OBSERVER_PORT=0", set)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %v, %q", set, err, out)
		}
	}
}
