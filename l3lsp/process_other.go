//go:build unix && !linux

package l3lsp

import (
	"os/exec"
	"syscall"
	"time"
)

func startBound(cmd *exec.Cmd, group int) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	return cmd.Start()
}

// use is what processes take: resident bytes, and processor time so far.
type use struct {
	rss int64
	cpu time.Duration
}

func groupUse(int) use { return use{} }
