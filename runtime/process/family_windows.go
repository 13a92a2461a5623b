package process

import (
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// errWrongSystem is what CreateProcess reports for a file of another system.
const errWrongSystem = windows.ERROR_BAD_EXE_FORMAT

// member is a process of a job.
type member struct{ pid int }

// family is a child and its descendants: the members of a job, which ends with
// its last handle, that is with this program at the latest.
type family struct{ job windows.Handle }

// newFamily prepares the job of a child that is about to start.
func newFamily(daemons bool) (*family, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateJobObject", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if daemons {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, os.NewSyscallError("SetInformationJobObject", err)
	}
	return &family{job: job}, nil
}

func (f *family) environ() []string { return nil }

// attributes starts the child suspended, so that it has no child of its own
// before it is in the job, and without a console window.
func (f *family) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW}
}

var ntResumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// adopt puts a started child in the job and lets it run.
func (f *family) adopt(child *os.Process) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE | windows.PROCESS_SUSPEND_RESUME
	handle, err := windows.OpenProcess(access, false, uint32(child.Pid))
	if err != nil {
		return os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(handle)
	if err := windows.AssignProcessToJobObject(f.job, handle); err != nil {
		return os.NewSyscallError("AssignProcessToJobObject", err)
	}
	if status, _, _ := ntResumeProcess.Call(uintptr(handle)); status != 0 {
		return os.NewSyscallError("NtResumeProcess", windows.NTStatus(status))
	}
	return nil
}

// release closes the job.
func (f *family) release() { _ = windows.CloseHandle(f.job) }

// living returns the members that have not ended, the first 1024 of them.
func (f *family) living() []member {
	var list struct { // JOBOBJECT_BASIC_PROCESS_ID_LIST
		assigned, listed uint32
		pids             [1024]uintptr
	}
	err := windows.QueryInformationJobObject(f.job, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		return nil
	}
	var members []member
	for _, pid := range list.pids[:list.listed] {
		members = append(members, member{int(pid)})
	}
	return members
}

// terminate asks nothing: a program without a console cannot be asked.
func (f *family) terminate([]member) bool { return false }

// kill ends the living.
func (f *family) kill([]member) { _ = windows.TerminateJobObject(f.job, 1) }

// stillLiving returns those that have not ended, also after their family is
// forgotten.
func stillLiving(members []member) []member {
	var left []member
	for _, m := range members {
		const stillActive = 259
		var code uint32
		handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(m.pid))
		if err != nil {
			continue
		}
		if windows.GetExitCodeProcess(handle, &code) == nil && code == stillActive {
			left = append(left, m)
		}
		_ = windows.CloseHandle(handle)
	}
	return left
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// measure adds up what processes take.
func measure(members []member) Usage {
	var u Usage
	for _, m := range members {
		handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(m.pid))
		if err != nil {
			continue
		}
		var counters struct { // PROCESS_MEMORY_COUNTERS
			size, faults        uint32
			peak, resident      uintptr
			pools               [4]uintptr
			pagefile, peakPages uintptr
		}
		counters.size = uint32(unsafe.Sizeof(counters))
		if ok, _, _ := getProcessMemoryInfo.Call(uintptr(handle), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size)); ok != 0 {
			u.Memory += int64(counters.resident)
		}
		var created, exited, kernel, user windows.Filetime
		if windows.GetProcessTimes(handle, &created, &exited, &kernel, &user) == nil {
			ticks := int64(kernel.HighDateTime)<<32 + int64(kernel.LowDateTime) + int64(user.HighDateTime)<<32 + int64(user.LowDateTime)
			u.Time += time.Duration(ticks) * 100
		}
		_ = windows.CloseHandle(handle)
	}
	return u
}

func pids(members []member) []int {
	var ids []int
	for _, m := range members {
		ids = append(ids, m.pid)
	}
	return ids
}

// readNow is never needed: a pipe has no deadline here.
func readNow(*os.File, []byte) (int, error) { return 0, io.EOF }

func signalName(*os.ProcessState) string { return "" }
