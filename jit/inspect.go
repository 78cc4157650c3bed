package jit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// state is the result of inspecting a file.
type state uint8

const (
	same       state = iota // the row is up to date; only its stat key may have changed
	fresh                   // the row must be replaced
	gone                    // the file must not be in the index
	unverified              // the file could not be read; its rows are kept
	moving                  // the file changed while it was read
)

// finding is the result of inspecting one file, prepared outside any
// transaction.
type finding struct {
	path   string
	state  state
	row    store.FileRow // complete if state is fresh; only Key, ReadAt and Hash are set if it is same
	writes []Write
	weight int   // approximate number of rows that its commit writes
	held   int64 // bytes of pipeline.budget to release after its commit
}

// inspector compares files on disk with the table and prepares new rows for those
// that differ.
type inspector struct {
	disk  *disk
	table *table
	opt   *Options
}

// readTries bounds the attempts to read a file that changes while it is read. A
// file that is appended to all the time fails each time.
const readTries = 3

// file inspects one file and prepares its rows. The result must be discarded if ctx has ended.
func (n *inspector) file(ctx context.Context, path string) finding {
	f := finding{path: path, state: moving}
	for range readTries {
		if f = n.once(ctx, path); f.state != moving {
			break
		}
	}
	return f
}

// once inspects a file once. The state of its result is moving if the file
// changed while it was read.
func (n *inspector) once(ctx context.Context, path string) finding {
	old, had := n.table.get(path)
	readAt := n.opt.now()
	entry, err := n.disk.stat(path)
	switch {
	case isGone(err):
		return finding{path: path, state: gone, weight: 1}
	case err != nil:
		return finding{path: path, state: unverified}
	case entry.Skip == workspace.SkipUnreadable:
		return n.unreadable(path, entry.Key, readAt, had)
	case entry.Skip != "":
		return n.skipped(path, entry.Skip, entry.Key, readAt)
	}
	text, key, err := n.disk.read(path)
	switch {
	case errors.Is(err, workspace.ErrTooLarge):
		return n.skipped(path, workspace.SkipTooLarge, entry.Key, readAt)
	case errors.Is(err, fs.ErrPermission):
		return n.unreadable(path, entry.Key, readAt, had)
	case errors.Is(err, workspace.ErrChanging), isGone(err), errors.Is(err, workspace.ErrNotRegular):
		// Changed between stat and read; the next attempt finds out how.
		return finding{path: path, state: moving}
	case err != nil:
		return n.unreadable(path, entry.Key, readAt, had)
	}
	if why := workspace.SkipText(text); why != "" {
		return n.skipped(path, why, key, readAt)
	}
	hash := store.HashText(text)
	if had && old.skip == "" && old.hash == hash {
		return finding{path: path, state: same, row: store.FileRow{Key: key, ReadAt: readAt, Hash: hash}}
	}
	return n.extract(ctx, path, text, store.FileRow{Path: path, Key: key, ReadAt: readAt, Hash: hash})
}

// headBytes is the length of the text from which language and class are detected.
const headBytes = 8 << 10

// unreadable returns the finding for a file that cannot be read. If the file has rows, they are
// kept and the file counts as unverified. Otherwise it gets a row with the reason for which it is
// skipped.
func (n *inspector) unreadable(path string, key code.StatKey, readAt int64, had bool) finding {
	if old, _ := n.table.get(path); had && old.skip != workspace.SkipUnreadable {
		return finding{path: path, state: unverified}
	}
	return n.skipped(path, workspace.SkipUnreadable, key, readAt)
}

// skipped returns a finding that skips the file for the given reason. Its state is same if the
// table has that reason already.
func (n *inspector) skipped(path string, why workspace.SkipReason, key code.StatKey, readAt int64) finding {
	f := finding{path: path, state: fresh, weight: 1, row: store.FileRow{Path: path, Key: key, ReadAt: readAt,
		Skip: string(why), Class: n.disk.class(path, nil), Language: languageOf(path, nil)}}
	if old, had := n.table.get(path); had && old.skip == why {
		f.state = same
	}
	return f
}

// extract parses a text and lets the tiers, the word index and the symbol index, prepare their
// rows. It completes row, of which the caller has set path, stat key, time and hash.
func (n *inspector) extract(ctx context.Context, path string, text []byte, row store.FileRow) finding {
	file, err := guard(ctx, n.opt.Extract, path, text)
	if ctx.Err() != nil {
		return finding{path: path, state: unverified}
	}
	file.Path, file.Text, file.Hash = path, text, row.Hash
	if file.Language == "" {
		file.Language = languageOf(path, text)
	}
	if file.Class == "" {
		file.Class = n.disk.class(path, text[:min(len(text), headBytes)])
	}
	if err != nil {
		// The text is not understood, but can still be searched.
		file.Parsed, file.BadBytes = false, len(text)
	}
	if file.Lines == 0 {
		file.Lines = lineCount(text)
	}
	row.Language, row.Class, row.Lines, row.BadBytes, row.Parsed, row.IndexedAt = file.Language, file.Class, file.Lines,
		file.BadBytes, file.Parsed, time.Unix(0, row.ReadAt)
	f := finding{path: path, state: fresh, row: row, weight: 2 + 2*len(file.Symbols) + file.Lines/linesPerRow}
	if f.writes, err = n.prepare(ctx, &file); err != nil {
		// The facts of the file cannot be stored, but its text can still be searched.
		file = code.File{Path: path, Text: text, Hash: row.Hash, Language: row.Language, Class: row.Class,
			Lines: row.Lines, BadBytes: len(text)}
		f.row.BadBytes, f.row.Parsed = file.BadBytes, false
		if f.writes, err = n.prepare(ctx, &file); err != nil {
			return n.skipped(path, workspace.SkipUnreadable, row.Key, row.ReadAt)
		}
	}
	if ctx.Err() != nil { // a tier may have prepared only a part of the file's rows
		return finding{path: path, state: unverified}
	}
	return f
}

// prepare lets all tiers prepare their rows of a file. It converts a panic to an error, so that a
// file with unforeseen facts does not end the process.
func (n *inspector) prepare(ctx context.Context, f *code.File) (writes []Write, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("prepare %s: panic: %v", f.Path, p)
		}
	}()
	for _, tier := range n.opt.Tiers {
		writes = append(writes, tier.Prepare(ctx, f))
	}
	return writes, nil
}

// linesPerRow is the approximate number of text lines per row of the index. finding.weight is
// estimated with it.
const linesPerRow = 40

func lineCount(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// guard runs the extractor. It converts a panic to an error, so that only this file has no
// symbols.
//
// A parse cannot be interrupted and may take seconds, so guard returns without waiting for it
// when ctx ends. The extractor's goroutine then continues, which is safe: its time is limited,
// and it uses no data of the root, which may be closed meanwhile.
func guard(ctx context.Context, extract Extractor, path string, text []byte) (code.File, error) {
	type extracted struct {
		file code.File
		err  error
	}
	done := make(chan extracted, 1) // buffered, so that the goroutine ends even if the result is not received
	go func() {
		var e extracted
		defer func() {
			if p := recover(); p != nil {
				e = extracted{err: fmt.Errorf("extract %s: panic: %v", path, p)}
			}
			done <- e
		}()
		e.file, e.err = extract(path, text)
	}()
	select {
	case e := <-done:
		return e.file, e.err
	case <-ctx.Done():
		return code.File{}, ctx.Err()
	}
}
