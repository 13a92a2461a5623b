package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// errWrongSystem is what exec reports for a program of another processor.
const errWrongSystem = syscall.ENOEXEC

// processes returns the system's processes.
func processes() ([]member, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var table []member
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", name, "stat"))
		if err != nil {
			continue // it has just ended
		}
		if m, ok := parseStat(pid, stat); ok {
			table = append(table, m)
		}
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("no process in /proc")
	}
	return table, nil
}

// parseStat reads a line of /proc/<pid>/stat, described in proc_pid_stat(5). The
// name, second and in parentheses, may hold anything, parentheses included.
func parseStat(pid int, stat []byte) (member, bool) {
	_, rest, _ := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	fields := bytes.Fields(rest)
	if len(fields) < 22 {
		return member{}, false
	}
	number := func(field []byte) int64 {
		n, _ := strconv.ParseInt(string(field), 10, 64)
		return n
	}
	return member{
		pid:    pid,
		zombie: fields[0][0] == 'Z' || fields[0][0] == 'X',
		ppid:   int(number(fields[1])),
		pgid:   int(number(fields[2])),
		start:  number(fields[19]),
		taken: Usage{
			Time:   time.Duration(number(fields[11])+number(fields[12])) * (time.Second / 100),
			Memory: number(fields[21]) * int64(os.Getpagesize()),
		},
	}, true
}

// measure adds up what processes take.
func measure(members []member) Usage {
	var u Usage
	for _, m := range members {
		u.Memory += m.taken.Memory
		u.Time += m.taken.Time
	}
	return u
}

// carries tells whether a process was started with a token in its environment.
func carries(pid int, token string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(env, []byte(token))
}
