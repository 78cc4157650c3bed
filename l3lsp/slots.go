//go:build unix

package l3lsp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// slots are the places for servers that all processes of a user share: one
// file each in dir, locked by the process whose server it is, so that the
// kernel frees the places of a process that dies.
//
// A slot's file says who has it: "PID SERVER SINCE", SINCE being when the
// server became idle in Unix milliseconds, 0 while it is used. Who finds all
// slots taken locks the file "wanted" and writes into it which one of another
// process it would have: the one idle for longest, or any. The owner looks after
// each question and every second, and stops that server if it is idle. nil slots
// are never taken.
type slots struct {
	dir string
	n   int
}

// slot is a place that is held.
type slot struct {
	file   *os.File
	index  int
	server string
}

// wish is the lock of who waits for a slot of another process.
type wish struct{ file *os.File }

func openSlots(dir string, n int) (*slots, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	return &slots{dir, n}, nil
}

// take gives a free slot; nil when all are taken.
func (s *slots) take(server string) (*slot, error) {
	if s == nil {
		return &slot{}, nil
	}
	for i := range s.n {
		f, err := s.lock(s.name(i))
		if err != nil {
			return nil, fmt.Errorf("slots: %w", err)
		}
		if f != nil {
			t := &slot{f, i, server}
			t.note(time.Time{})
			return t, nil
		}
	}
	return nil, nil
}

func (s *slots) name(i int) string { return "slot-" + strconv.Itoa(i) }

// lock gives the file locked; nil when somebody else has it.
func (s *slots) lock(name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
			return nil, nil
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return f, nil
}

// note says since when the slot's server is idle; zero: it is used.
func (t *slot) note(idle time.Time) {
	if t.file == nil {
		return
	}
	since := int64(0)
	if !idle.IsZero() {
		since = idle.UnixMilli()
	}
	write(t.file, fmt.Sprintf("%d %s %d", os.Getpid(), t.server, since))
}

// write replaces the text of a file. What could not be written reads as
// nothing, and the lock is what counts.
func write(f *os.File, text string) {
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(text), 0)
	}
}

// release gives the slot back. Its text goes first: nobody must read it as the next one's.
func (t *slot) release() {
	if t.file != nil {
		write(t.file, "")
		t.file.Close()
	}
}

// holder is what a slot's file says.
type holder struct {
	pid    int
	server string
	idle   time.Time // since when; zero while it is used
}

func (s *slots) holder(i int) (h holder, ok bool) {
	b, err := os.ReadFile(filepath.Join(s.dir, s.name(i)))
	if err != nil {
		return h, false
	}
	var since int64
	if n, err := fmt.Sscanf(string(b), "%d %s %d", &h.pid, &h.server, &since); n != 3 || err != nil {
		return h, false
	}
	if since > 0 {
		h.idle = time.UnixMilli(since)
	}
	return h, true
}

// anySlot is whichever becomes idle first.
const anySlot = -1

// idlest is the slot whose server has been idle for longest, and since when;
// anySlot when all are used.
func (s *slots) idlest() (index int, since time.Time) {
	index = anySlot
	for i := range s.n {
		h, ok := s.holder(i)
		if ok && !h.idle.IsZero() && (index < 0 || h.idle.Before(since)) {
			index, since = i, h.idle
		}
	}
	return index, since
}

// others names the servers of other processes, for a message.
func (s *slots) others() string {
	var names []string
	for i := range s.n {
		if h, ok := s.holder(i); ok && h.pid != os.Getpid() {
			names = append(names, fmt.Sprintf("%s of process %d", h.server, h.pid))
		}
	}
	return strings.Join(names, ", ")
}

const wantedFile = "wanted"

// want asks the owner of a slot to give it up. It gives nil when somebody else
// waits already.
func (s *slots) want(index int) *wish {
	f, err := s.lock(wantedFile)
	if err != nil || f == nil {
		return nil // then the next look at free slots has to do
	}
	write(f, strconv.Itoa(index))
	return &wish{f}
}

func (w *wish) change(index int) { write(w.file, strconv.Itoa(index)) }

func (w *wish) end() {
	write(w.file, "")
	w.file.Close()
}

// wanted reports whether somebody waits for this slot, or for any.
func (s *slots) wanted(t *slot) bool {
	if s == nil {
		return false
	}
	f, err := s.lock(wantedFile)
	if err != nil {
		return false
	}
	if f != nil { // nobody waits
		f.Close()
		return false
	}
	b, err := os.ReadFile(filepath.Join(s.dir, wantedFile))
	if err != nil {
		return false
	}
	index, err := strconv.Atoi(string(b))
	return err == nil && (index == anySlot || index == t.index)
}
