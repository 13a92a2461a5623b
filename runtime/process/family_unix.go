//go:build unix

package process

import (
	"io"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// member is a process as the system's table shows it.
type member struct {
	pid, ppid, pgid int
	start           int64 // with pid, it names a process for ever
	zombie          bool
	taken           Usage // where the table tells
}

// family is a child and its descendants. They are known by the child's process
// group, by their parents, and by a token in the environment that they inherit.
type family struct {
	pgid    int
	token   string
	daemons bool          // those that leave the group may live on
	known   map[int]int64 // pid and start of each member ever seen
}

// newFamily prepares the family of a child that is about to start. The token is
// of a kind that the warden looks for from now on: a child cannot slip between
// its start and its registration.
func newFamily(daemons bool) (*family, error) {
	token, err := watch.newToken()
	if err != nil {
		return nil, err
	}
	if daemons {
		token = "" // the warden must let them live as well
	}
	return &family{token: token, daemons: daemons, known: map[int]int64{}}, nil
}

// environ returns what the child's environment must hold.
func (f *family) environ() []string { return []string{tokenName + "=" + f.token} }

// attributes makes the child the leader of a session, and so of a group. It has
// no terminal: nothing asks a question there that nobody would see.
func (f *family) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// adopt makes a started child the head of the family.
func (f *family) adopt(child *os.Process) error {
	f.pgid = child.Pid
	return watch.add(f.pgid)
}

// release forgets the family; nothing of it may live.
func (f *family) release() {
	if f.pgid != 0 {
		watch.remove(f.pgid)
	}
}

// living returns the members that have not ended.
func (f *family) living() []member {
	table, err := processes()
	if err != nil {
		// Without a table there is still the group.
		if unix.Kill(-f.pgid, 0) == nil {
			return []member{{pid: f.pgid, pgid: f.pgid}}
		}
		return nil
	}
	table = slices.DeleteFunc(table, func(m member) bool { return m.zombie })
	if f.daemons {
		return slices.DeleteFunc(table, func(m member) bool { return m.pgid != f.pgid })
	}
	found := map[int]bool{}
	for _, m := range table {
		start, known := f.known[m.pid]
		if m.pgid == f.pgid || known && start == m.start || carries(m.pid, f.token) {
			found[m.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, m := range table {
			if found[m.ppid] && !found[m.pid] {
				found[m.pid], grown = true, true
			}
		}
	}
	table = slices.DeleteFunc(table, func(m member) bool { return !found[m.pid] })
	for _, m := range table {
		f.known[m.pid] = m.start
	}
	return table
}

// terminate asks the living to end.
func (f *family) terminate(living []member) bool {
	f.signal(living, unix.SIGTERM)
	return true
}

// kill ends the living.
func (f *family) kill(living []member) { f.signal(living, unix.SIGKILL) }

// signal reaches the group at one stroke, so that none of it forks away, then
// those outside of it. One that has just ended cannot be reached, rightly.
func (f *family) signal(living []member, sig unix.Signal) {
	if slices.ContainsFunc(living, func(m member) bool { return m.pgid == f.pgid }) {
		_ = unix.Kill(-f.pgid, sig)
	}
	for _, m := range living {
		if m.pgid != f.pgid {
			_ = unix.Kill(m.pid, sig)
		}
	}
}

// stillLiving returns those that have not ended, also after their family is
// forgotten.
func stillLiving(members []member) []member {
	table, _ := processes()
	var left []member
	for _, m := range table {
		known := func(k member) bool { return k.pid == m.pid && (k.start == m.start || k.start == 0) }
		if !m.zombie && slices.ContainsFunc(members, known) {
			left = append(left, m)
		}
	}
	return left
}

func pids(members []member) []int {
	var ids []int
	for _, m := range members {
		ids = append(ids, m.pid)
	}
	return ids
}

// readNow reads what a pipe holds, without waiting for more.
func readNow(f *os.File, p []byte) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	if closed := conn.Control(func(fd uintptr) { n, err = unix.Read(int(fd), p) }); closed != nil {
		return 0, os.ErrClosed
	}
	if n <= 0 {
		return 0, io.EOF
	}
	return n, err
}

func signalName(s *os.ProcessState) string {
	status, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
