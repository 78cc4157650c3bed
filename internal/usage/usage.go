// Package usage records, by day and tool, how many answers the tools gave, how many tokens the
// answers had, and how many tokens the files shown in them have.
//
// It keeps sums alone: no query, no path, no text of an answer. The sums stay on this machine, in
// one file of the data folder. It has a line for each day and tool, and the last [MaxDays] days
// with answers:
//
//	2026-11-27	search_codebase	12	3410	48000	1	90
//
// The numbers are those of [Sum], in its order. Several processes add to the file; each rewrites it
// under a lock.
package usage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sextant/internal/store"
)

const (
	fileName = "usage.tsv"
	// MaxDays is the largest number of days in the file. With six tools it then has at most some
	// 40 kB.
	MaxDays = 100
	// flushAfter is the time for which a process may hold sums that are not in the file. A process
	// that is killed loses them.
	flushAfter = 20 * time.Second
	// bytesPerToken is the estimated length of a token of source. It was measured as 3.4 bytes in
	// Go, 4.0 in TypeScript and 4.7 in Java.
	bytesPerToken = 4
)

// Answer holds the cost of one answer.
type Answer struct {
	Tool   string
	Tokens int // number of tokens in its text
	Files  int // number of tokens in the whole files that it showed parts of; 0 if it showed none
}

// Sum is the total of the answers of one tool on one day.
type Sum struct {
	Day     string `json:"day"` // YYYY-MM-DD, local time
	Tool    string `json:"tool"`
	Answers int    `json:"answers"`
	Tokens  int    `json:"tokens"`
	Files   int    `json:"filesShown"` // number of tokens in the whole files that the answers showed parts of
	// Losses counts the answers that had more tokens than the files shown in them, including
	// answers that showed no file. Lost is the sum of these excess tokens.
	Losses int `json:"losses"`
	Lost   int `json:"lost"`
}

// Add adds the numbers of t.
func (s *Sum) Add(t Sum) {
	s.Answers += t.Answers
	s.Tokens += t.Tokens
	s.Files += t.Files
	s.Losses += t.Losses
	s.Lost += t.Lost
}

// Log collects sums and writes them to the file of a folder. It is safe for concurrent use.
type Log struct {
	dir string
	now func() time.Time

	mu      sync.Mutex // guards the fields below
	pending []Sum      // sums that are not yet in the file, sorted by day and tool
	flushed time.Time  // when the file was last written
}

// Open returns a log for a folder. It reads and creates nothing.
func Open(dir string) *Log { return &Log{dir: dir, now: time.Now, flushed: time.Now()} }

// Add counts an answer. It writes the file if it was last written more than flushAfter ago.
func (l *Log) Add(a Answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	sum := Sum{Day: now.Format(time.DateOnly), Tool: a.Tool, Answers: 1, Tokens: a.Tokens, Files: a.Files}
	if a.Tokens > a.Files {
		sum.Losses, sum.Lost = 1, a.Tokens-a.Files
	}
	l.pending = merged(l.pending, []Sum{sum})
	if now.Sub(l.flushed) >= flushAfter {
		l.flushed = now
		_ = l.flush() // the sums stay pending, and the next flush tries again
	}
}

// Close writes the sums that are pending. While another process is writing, Close tries again for a
// second.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 20 {
		err := l.flush()
		if held := (*store.HeldError)(nil); !errors.As(err, &held) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil // a statistic is not worth a longer wait
}

// flush adds the pending sums to the file. The caller holds mu.
func (l *Log) flush() (err error) {
	if len(l.pending) == 0 {
		return nil
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	lock, err := store.TryLock(filepath.Join(l.dir, fileName+".lock"), store.Holder{PID: os.Getpid(), Action: "usage"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	held, err := Read(l.dir)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(l.dir, fileName), recent(merged(held, l.pending))); err != nil {
		return err
	}
	l.pending = nil
	return nil
}

// merged adds the sums in more to list, which is sorted by day and tool, and returns the result.
func merged(list, more []Sum) []Sum {
	for _, s := range more {
		at, found := slices.BinarySearchFunc(list, s, func(x, y Sum) int {
			return cmp.Or(cmp.Compare(x.Day, y.Day), cmp.Compare(x.Tool, y.Tool))
		})
		if !found {
			list = slices.Insert(list, at, Sum{Day: s.Day, Tool: s.Tool})
		}
		list[at].Add(s)
	}
	return list
}

// recent drops the oldest days, so that at most MaxDays remain.
func recent(list []Sum) []Sum {
	days := 0
	for i := len(list) - 1; i >= 0; i-- {
		if i == len(list)-1 || list[i].Day != list[i+1].Day {
			days++
		}
		if days > MaxDays {
			return list[i+1:]
		}
	}
	return list
}

// write replaces the file in one step, so that readers never see a part of it.
func write(name string, list []Sum) error {
	var text bytes.Buffer
	for _, s := range list {
		fmt.Fprintf(&text, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", s.Day, s.Tool, s.Answers, s.Tokens, s.Files,
			s.Losses, s.Lost)
	}
	next := name + ".new"
	if err := os.WriteFile(next, text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(next, name)
}

// Read returns the sums in a folder, sorted by day and tool. It skips lines that it cannot read.
func Read(dir string) (list []Sum, err error) {
	text, err := os.ReadFile(filepath.Join(dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var s Sum
		n, err := fmt.Sscanf(line, "%s\t%s\t%d\t%d\t%d\t%d\t%d", &s.Day, &s.Tool, &s.Answers, &s.Tokens, &s.Files,
			&s.Losses, &s.Lost)
		if err == nil && n == 7 {
			list = merged(list, []Sum{s})
		}
	}
	return list, nil
}

// FileTokens estimates the number of tokens in files by their sizes. It skips a file that no
// longer exists.
func FileTokens(files []string) (tokens int) {
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() {
			tokens += int(info.Size()) / bytesPerToken
		}
	}
	return tokens
}
