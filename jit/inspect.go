package jit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// skipBinary is the skip reason that depends on the bytes of the file.
const skipBinary workspace.SkipReason = "binary"

// verdict is the result of inspecting a file.
type verdict uint8

const (
	same       verdict = iota // the row is up to date; only its stat key may have changed
	fresh                     // the row must be replaced
	gone                      // the file must not be in the index
	unverified                // the file could not be read; its rows are kept
	moving                    // the file changed while it was read
)

// finding is the result of inspecting one file, prepared outside any
// transaction.
type finding struct {
	path    string
	verdict verdict
	row     store.FileRow // complete for fresh; only Key, ReadAt and Hash for same
	writes  []Write
	weight  int   // approximate number of rows that its commit writes
	held    int64 // bytes of the budget that it holds
}

// readTries bounds the attempts to read a file that changes meanwhile. A file
// that is appended to all the time fails every time.
const readTries = 3

// inspect inspects one file and prepares its rows.
func (r *Root) inspect(path string) finding {
	f := finding{path: path, verdict: moving}
	for range readTries {
		if f = r.inspectOnce(path); f.verdict != moving {
			break
		}
	}
	return f
}

// inspectOnce returns the verdict moving if the file changed while it was read.
func (r *Root) inspectOnce(path string) finding {
	old, had := r.table.get(path)
	readAt := r.opt.now()
	entry, err := r.disk.stat(path)
	switch {
	case isGone(err):
		return finding{path: path, verdict: gone, weight: 1}
	case err != nil:
		return finding{path: path, verdict: unverified}
	case entry.Skip == workspace.SkipUnreadable:
		return r.unreadable(path, entry.Key, readAt, had)
	case entry.Skip != "":
		return r.skipped(path, entry.Skip, entry.Key, readAt)
	}
	text, key, err := r.disk.read(path)
	switch {
	case errors.Is(err, workspace.ErrTooLarge):
		return r.skipped(path, workspace.SkipTooLarge, entry.Key, readAt)
	case errors.Is(err, fs.ErrPermission):
		return r.unreadable(path, entry.Key, readAt, had)
	case errors.Is(err, workspace.ErrChanging), isGone(err), errors.Is(err, workspace.ErrNotRegular):
		// Changed between stat and read; the next attempt tells.
		return finding{path: path, verdict: moving}
	case err != nil:
		return r.unreadable(path, entry.Key, readAt, had)
	}
	if workspace.Binary(text[:min(len(text), headBytes)]) {
		return r.skipped(path, skipBinary, key, readAt)
	}
	hash := store.HashText(text)
	if had && old.skip == "" && old.hash == hash {
		return finding{path: path, verdict: same, row: store.FileRow{Key: key, ReadAt: readAt, Hash: hash}}
	}
	return r.extract(path, text, hash, key, readAt)
}

// headBytes is the length of the text from which language, class, and binary
// content are detected.
const headBytes = 8 << 10

// unreadable returns unverified for a file that has rows, and a skipped row for
// one that has none.
func (r *Root) unreadable(path string, key code.StatKey, readAt int64, had bool) finding {
	if old, _ := r.table.get(path); had && old.skip != workspace.SkipUnreadable {
		return finding{path: path, verdict: unverified}
	}
	return r.skipped(path, workspace.SkipUnreadable, key, readAt)
}

// skipped returns a finding that skips the file for the reason why.
func (r *Root) skipped(path string, why workspace.SkipReason, key code.StatKey, readAt int64) finding {
	f := finding{path: path, verdict: fresh, weight: 1, row: store.FileRow{Path: path, Key: key, ReadAt: readAt,
		Skip: string(why), Class: r.disk.class(path, nil), Language: languageOf(path, nil)}}
	if old, had := r.table.get(path); had && old.skip == why {
		f.verdict = same
	}
	return f
}

// extract extracts the facts of a text and lets the tiers prepare their rows.
func (r *Root) extract(path string, text []byte, hash code.Hash, key code.StatKey, readAt int64) finding {
	file, err := guard(r.opt.Extract, path, text)
	file.Path, file.Text, file.Hash = path, text, hash
	if file.Language == "" {
		file.Language = languageOf(path, text)
	}
	if file.Class == "" {
		file.Class = r.disk.class(path, text[:min(len(text), headBytes)])
	}
	if err != nil {
		// The text is not understood, but can still be searched.
		file.Parsed, file.BadBytes = false, len(text)
	}
	if file.Lines == 0 {
		file.Lines = lineCount(text)
	}
	f := finding{path: path, verdict: fresh, weight: 2 + 2*len(file.Symbols) + file.Lines/linesPerRow}
	f.row = store.FileRow{Path: path, Key: key, ReadAt: readAt, Hash: hash, Language: file.Language, Class: file.Class,
		Lines: file.Lines, BadBytes: file.BadBytes, Parsed: file.Parsed, IndexedAt: time.Unix(0, readAt)}
	for _, tier := range r.opt.Tiers {
		f.writes = append(f.writes, tier.Prepare(&file))
	}
	return f
}

// linesPerRow is the approximate number of text lines per row of a tier.
const linesPerRow = 40

func lineCount(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// guard runs the extractor. A panic becomes an error, so that it costs only the
// symbols of this file.
func guard(extract Extractor, path string, text []byte) (f code.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = code.File{}, fmt.Errorf("extract %s: panic: %v", path, p)
		}
	}()
	return extract(path, text)
}
