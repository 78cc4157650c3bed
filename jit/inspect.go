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

// skipBinary is the one skip reason that only the bytes tell.
const skipBinary workspace.SkipReason = "binary"

// verdict is what looking at a file came to.
type verdict uint8

const (
	same       verdict = iota // the row holds; only the key may have moved
	fresh                     // the row is to be replaced
	gone                      // there is no such file for the index
	unverified                // it could not be read: rows stay
	moving                    // it changed while it was read
)

// finding is one file, looked at and prepared outside any transaction.
type finding struct {
	path    string
	verdict verdict
	row     store.FileRow // of verdict fresh; Key and ReadAt of same
	writes  []Write
	weight  int   // rows that committing it writes, about
	held    int64 // bytes accounted to it while it is in flight
}

// readTries is how often a file is read that changes meanwhile. Each try of a
// file that somebody appends to is as likely to fail as the last.
const readTries = 3

// inspect looks at one file and prepares what follows from it.
func (r *Root) inspect(path string) finding {
	f := finding{path: path, verdict: moving}
	for range readTries {
		if f = r.inspectOnce(path); f.verdict != moving {
			break
		}
	}
	return f
}

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
		return finding{path: path, verdict: moving} // between stat and read; the next look tells
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

// headBytes of a file's start tell its language, class, and whether it is text.
const headBytes = 8 << 10

// unreadable keeps the rows of a file that is known, and accounts for one
// that is not.
func (r *Root) unreadable(path string, key code.StatKey, readAt int64, had bool) finding {
	if old, _ := r.table.get(path); had && old.skip != workspace.SkipUnreadable {
		return finding{path: path, verdict: unverified}
	}
	return r.skipped(path, workspace.SkipUnreadable, key, readAt)
}

func (r *Root) skipped(path string, why workspace.SkipReason, key code.StatKey, readAt int64) finding {
	f := finding{path: path, verdict: fresh, weight: 1, row: store.FileRow{Path: path, Key: key, ReadAt: readAt,
		Skip: string(why), Class: r.disk.class(path, nil), Language: languageOf(path, nil)}}
	if old, had := r.table.get(path); had && old.skip == why {
		f.verdict = same
	}
	return f
}

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
		// Nothing of it was understood; its text is still found.
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

// linesPerRow is about how many lines of text make a row of a tier.
const linesPerRow = 40

func lineCount(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// guard runs the extractor of one file so that a panic on its bytes costs
// that file's symbols, not the server.
func guard(extract Extractor, path string, text []byte) (f code.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = code.File{}, fmt.Errorf("extract %s: panic: %v", path, p)
		}
	}()
	return extract(path, text)
}
