package process

import (
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// errWrongSystem is what exec reports for a program of another processor.
const errWrongSystem = unix.EBADARCH

// zombieState is SZOMB of <sys/proc.h>.
const zombieState = 5

// processes returns the system's processes.
func processes() ([]member, error) {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	table := make([]member, 0, len(list))
	for _, p := range list {
		table = append(table, member{
			pid:    int(p.Proc.P_pid),
			ppid:   int(p.Eproc.Ppid),
			pgid:   int(p.Eproc.Pgid),
			start:  unix.TimevalToNsec(p.Proc.P_starttime),
			zombie: p.Proc.P_stat == zombieState,
		})
	}
	return table, nil
}

// carries tells whether a process was started with a token in its environment.
// The system shows it for the user's own programs, except Apple's.
func carries(pid int, token string) bool {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	return err == nil && bytes.Contains(args, []byte(token))
}

// measure adds up what processes take. Only ps, which may, is told.
func measure(members []member) Usage {
	var u Usage
	if len(members) == 0 {
		return u
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var list []string
	for _, pid := range pids(members) {
		list = append(list, strconv.Itoa(pid))
	}
	out, _ := exec.CommandContext(ctx, "/bin/ps", "-o", "rss=,time=", "-p", strings.Join(list, ",")).Output()
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
			u.Memory += kilobytes << 10
			u.Time += clock(fields[1])
		}
	}
	return u
}

// clock reads [hours:]minutes:seconds.
func clock(text string) time.Duration {
	var seconds float64
	for part := range strings.SplitSeq(text, ":") {
		n, _ := strconv.ParseFloat(part, 64)
		seconds = seconds*60 + n
	}
	return time.Duration(seconds * float64(time.Second))
}
