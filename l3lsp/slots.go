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

// slots limits the number of servers that all processes of a user run at once. There is one file
// per slot in dir; the process that runs a server in the slot locks it. The kernel frees the
// slots of a process that dies.
//
// The text of a slot's file is "PID SERVER SINCE", where SINCE is the time in Unix milliseconds
// since which the server has been idle, 0 while it is used. A process that finds all slots taken
// locks the file "wanted" and writes an index into it: that of the slot whose server has been
// idle longest, or -1 for any slot. The owner of the slot reads "wanted" after each batch and
// every second, and stops its server if the server is idle. A nil *slots has no limit.
type slots struct {
	dir string
	n   int
}

// slot is a slot that this process holds. The file is nil if there is no limit, for a nil *slots.
type slot struct {
	file   *os.File
	index  int
	server string
}

// wish is the lock on the file "wanted", held while waiting for a slot of
// another process.
type wish struct{ file *os.File }

func openSlots(dir string, n int) (*slots, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	return &slots{dir, n}, nil
}

// take locks a free slot for a server and returns it; nil if all slots are taken.
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

// lock opens and locks a file; it returns nil if another process holds the
// lock.
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

// note records in the slot's file since when its server has been idle; the zero
// time means that it is in use.
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

// write replaces the text of a file. It ignores errors: readers treat a truncated text as an empty
// one, and only the lock decides who holds a slot.
func write(f *os.File, text string) {
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(text), 0)
	}
}

// release frees the slot. It clears the file first: another process may then take the slot, and no
// reader must see the old text.
func (t *slot) release() {
	if t.file != nil {
		write(t.file, "")
		t.file.Close()
	}
}

// holder is the content of a slot's file.
type holder struct {
	pid    int
	server string
	idle   time.Time // time since which the server has been idle; zero while it is used
}

// holder reads the file of the slot with index i. ok is false if the file has no valid text.
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

// anySlot is the index that a process writes into the file "wanted" when no slot has an idle
// server: it wants the first slot whose server becomes idle.
const anySlot = -1

// idlest returns the slot whose server has been idle longest, and since when.
// It returns anySlot if all servers are in use.
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

// others lists the servers of other processes, for a message.
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

// want requests that the owner of the slot with this index frees it. It returns nil if another
// process is already waiting.
func (s *slots) want(index int) *wish {
	f, err := s.lock(wantedFile)
	if err != nil || f == nil {
		return nil // the caller polls for free slots anyway
	}
	write(f, strconv.Itoa(index))
	return &wish{f}
}

// change sets the index of the wanted slot, or anySlot.
func (w *wish) change(index int) { write(w.file, strconv.Itoa(index)) }

// end withdraws the request and releases the lock on the file "wanted".
func (w *wish) end() {
	write(w.file, "")
	w.file.Close()
}

// wanted reports whether a process waits for slot t, or for any slot.
func (s *slots) wanted(t *slot) bool {
	if s == nil {
		return false
	}
	f, err := s.lock(wantedFile)
	if err != nil {
		return false
	}
	if f != nil { // no process holds the lock, so none waits
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
