package l3lsp

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// starts runs what starts processes on one thread that never ends: the kernel
// sends Pdeathsig when the *thread* ends that started the child, and Go ends
// threads as it likes.
var starts = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// startBound starts a process in a group; it dies with this one.
func startBound(cmd *exec.Cmd, group int) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group, Pdeathsig: syscall.SIGKILL}
	result := make(chan error)
	starts() <- func() { result <- cmd.Start() }
	return <-result
}

// groupRSS sums the resident pages of all processes of a group.
func groupRSS(pgid int) (total int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	group := strconv.Itoa(pgid)
	for _, e := range entries {
		if name := e.Name(); name[0] < '0' || name[0] > '9' {
			continue
		}
		b, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		// The command's name, in parentheses, may hold anything, parentheses too.
		stat := string(b)
		f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		const pgrp, rss = 2, 21 // fields 5 and 24 of the file; the name was the second
		if len(f) <= rss || f[pgrp] != group {
			continue
		}
		pages, _ := strconv.ParseInt(f[rss], 10, 64)
		total += pages * int64(os.Getpagesize())
	}
	return total
}
