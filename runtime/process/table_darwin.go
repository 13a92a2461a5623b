package process

import (
	"bytes"

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
