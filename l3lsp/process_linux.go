package l3lsp

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
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

// use is what processes take: resident bytes, and processor time so far.
type use struct {
	rss int64
	cpu time.Duration
}

// userHZ is the kernel's unit of processor time for programs, the same on all
// architectures that Go runs on.
const userHZ = 100

// groupUse sums over all processes of a group.
func groupUse(pgid int) (total use) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return use{}
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
		const pgrp, utime, stime, rss = 2, 11, 12, 21 // fields 5, 14, 15 and 24 of the file; the name was the second
		if len(f) <= rss || f[pgrp] != group {
			continue
		}
		pages, _ := strconv.ParseInt(f[rss], 10, 64)
		user, _ := strconv.ParseInt(f[utime], 10, 64)
		system, _ := strconv.ParseInt(f[stime], 10, 64)
		total.rss += pages * int64(os.Getpagesize())
		total.cpu += time.Duration(user+system) * (time.Second / userHZ)
	}
	return total
}
