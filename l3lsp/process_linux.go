package l3lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// starts runs what starts processes on one thread that never ends: the kernel
// sends Pdeathsig when the *thread* ends that started the child.
var starts = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

func startBound(cmd *exec.Cmd) error {
	result := make(chan error)
	starts() <- func() { result <- cmd.Start() }
	return <-result
}

// signalGroup sends SIGTERM, or SIGKILL, to the process group of pid.
func signalGroup(pid int, kill bool) {
	sig := syscall.SIGTERM
	if kill {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(-pid, sig) // ESRCH: nobody is left
}

// groupRSS sums the resident pages of all processes of a group.
func groupRSS(pgid int) (total int64) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// The command name is in parentheses and may hold anything.
		_, rest, ok := strings.Cut(string(b), ") ")
		if i := strings.LastIndex(string(b), ") "); ok && i >= 0 {
			rest = string(b)[i+2:]
		}
		f := strings.Fields(rest) // state ppid pgrp …; rss is the 24th field of the file, the 22nd of these
		if len(f) < 22 || f[2] != strconv.Itoa(pgid) {
			continue
		}
		pages, _ := strconv.ParseInt(f[21], 10, 64)
		total += pages * int64(os.Getpagesize())
	}
	return total
}
