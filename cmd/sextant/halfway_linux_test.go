package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// looksAtLock is the number of times that the waiting command looks at the lock of the build before
// the other process is killed. It is more than the command needs before it waits, so that it surely
// waits.
const looksAtLock = 12

// TestCommandGoesOnForKilledProcess checks that a command which waits for the build of another
// process goes on with it when that process is killed.
func TestCommandGoesOnForKilledProcess(t *testing.T) {
	s := newSite(t)
	if err := os.WriteFile(filepath.Join(s.ws, "a.go"), []byte("package a\n\nfunc Found() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), os.Args[0], "halfway", s.home, s.ws)
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	other.Stderr = &stderr
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "halfway\n" {
		_ = other.Wait()
		t.Fatalf("the other process says %q (%v)\n%s", line, err, stderr.String())
	}
	locks, err := filepath.Glob(filepath.Join(s.home, "roots", "*", "op.lock"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("locks %q, %v", locks, err)
	}
	looks := watchOpens(t, locks[0])

	ctx, cancel := context.WithTimeout(t.Context(), settleWithin)
	defer cancel()
	waits := exec.CommandContext(ctx, s.exe, "index", s.ws)
	waits.Env = append(os.Environ(), "SEXTANT_HOME="+s.home, "HOME="+s.home)
	var said bytes.Buffer
	waits.Stdout, waits.Stderr = &said, &said
	if err := waits.Start(); err != nil {
		t.Fatal(err)
	}
	for range looksAtLock {
		if _, err := looks.Read(make([]byte, unix.SizeofInotifyEvent)); err != nil {
			t.Fatalf("the command does not wait: %v", err)
		}
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // returns "signal: killed"
	if err := waits.Wait(); err != nil {
		t.Errorf("the command that waited: %v\n%s", err, said.String())
	}
	if !bytes.Contains(said.Bytes(), []byte("Indexed 1 file ")) {
		t.Errorf("the command that waited says %q", said.String())
	}
}

// watchOpens returns a file from which one event can be read for each opening of path. Reading ends
// with an error after settleWithin.
func watchOpens(t *testing.T, path string) *os.File {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	t.Cleanup(func() { events.Close() })
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	if err := events.SetReadDeadline(time.Now().Add(settleWithin)); err != nil {
		t.Fatal(err)
	}
	return events
}
