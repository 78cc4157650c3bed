//go:build unix && !linux

package l3lsp

import (
	"os/exec"
	"syscall"
)

func startBound(cmd *exec.Cmd, group int) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	return cmd.Start()
}

func groupRSS(int) int64 { return 0 }
