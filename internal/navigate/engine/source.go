package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// ErrKeepsMoving is the error for a file that changed on every attempt to read it.
var ErrKeepsMoving = errors.New("the source keeps changing")

// Parsed is a file with its current bytes, and the symbols in the same bytes; its calls, imports and facts are left
// out. The symbols are read-only, because other requests share them.
type Parsed struct {
	code.File
	Row    jit.FileRow
	Report jit.Report
}

// Parse reads the current bytes of a file, brings the index up to date with them, and returns the symbols in them.
// Bytes that were parsed before are not parsed again. If the disk has no room for the index, only the bytes are read.
// If the file cannot be read, the error wraps an error of package jit or ErrKeepsMoving.
func (s *Engine) Parse(ctx context.Context, root *jit.Root, file string) (*Parsed, error) {
	// The sync applies changed ignore rules, which may have just excluded the file.
	rep, err := root.Sync(ctx)
	if err != nil && !errors.Is(err, jit.ErrBuildFailed) && !isFull(err) {
		return &Parsed{Report: rep}, err
	}
	for range MaxPasses {
		r, err := root.Verify(ctx, []string{file})
		full := isFull(err)
		if err != nil && !full {
			return nil, fmt.Errorf("verify %s: %w", file, err)
		}
		rep = Join(rep, r)
		var text []byte
		var row jit.FileRow
		if full {
			text, row, err = root.ReadUnindexed(file)
		} else {
			text, row, err = root.Read(ctx, file)
		}
		gaveUp := err == nil && !row.Parsed && row.BadBytes > 0
		if errors.Is(err, jit.ErrNotIndexed) && row.Skip == "" {
			text, row, err = root.ReadUnindexed(file)
		}
		if errors.Is(err, jit.ErrMoved) {
			continue
		}
		if err != nil {
			return &Parsed{Row: row, Report: rep}, err
		}
		f := code.File{Path: file, Language: row.Language, Text: text, Lines: row.Lines, BadBytes: row.BadBytes}
		if !gaveUp { // parsing the same bytes again would take the parser's whole time limit again
			f = s.state(root).files.extract(file, text, row.Hash)
		}
		f.Class = row.Class
		return &Parsed{File: f, Row: row, Report: rep}, nil
	}
	return &Parsed{Report: rep}, fmt.Errorf("read %s: %w", file, ErrKeepsMoving)
}

// isFull reports whether err says that the disk has no room for the index.
func isFull(err error) bool {
	var full *jit.FullError
	return errors.As(err, &full)
}

// Join returns the report sync with the counts, paths and warnings of check added, a later
// verification of some files.
func Join(sync, check jit.Report) jit.Report {
	sync.FilesChecked += check.FilesChecked
	sync.FilesReindexed += check.FilesReindexed
	sync.Added = append(sync.Added, check.Added...)
	sync.Modified = append(sync.Modified, check.Modified...)
	sync.Removed = append(sync.Removed, check.Removed...)
	sync.Unverified = slices.Compact(slices.Sorted(slices.Values(append(sync.Unverified, check.Unverified...))))
	sync.Duration += check.Duration
	sync.Warnings = slices.Compact(slices.Sorted(slices.Values(append(sync.Warnings, check.Warnings...))))
	return sync
}

// Unreadable converts err, an error of Parse for the file at the absolute path abs. It returns an
// outcome if a later call may succeed, such as for a file that keeps changing. It returns a
// *contract.Refusal as the error if the file is never read, such as a binary file. It returns any
// other error unchanged.
func Unreadable(abs string, p *Parsed, err error) (contract.Outcome, error) {
	switch {
	case errors.Is(err, ErrKeepsMoving):
		return contract.CondSourceChanged.Outcome("%s changed on every one of %d attempts to read it. Repeat the call.",
			abs, MaxPasses), nil
	case errors.Is(err, jit.ErrUnverified), errors.Is(err, fs.ErrPermission):
		return contract.CondUnverified.Outcome("%s is indexed, and cannot be read now (permission denied). Make it "+
			"readable, then repeat the call.", abs), nil
	case !errors.Is(err, jit.ErrNotIndexed):
		return missing(abs, err)
	}
	switch p.Row.Skip {
	case skipSecret:
		return contract.Outcome{}, contract.CondSecret.Refuse(abs, nil,
			"%s looks like a secret (key, credential or environment file) and is never read. Work without its contents.", abs)
	case skipBinary:
		return contract.Outcome{}, contract.CondBinary.Refuse(abs, nil, "%s is binary. Only text files are read.", abs)
	case skipLFSPointer:
		return contract.Outcome{}, contract.CondLFSPointer.Refuse(abs, nil,
			"%s is a pointer of git-lfs: its content is not in this checkout. \"git lfs pull\" fetches it.", abs)
	case skipTooLarge:
		return contract.Outcome{}, contract.CondTooLarge.Refuse(abs, nil,
			"%s is larger than the limit for indexed files. Read a part of it with a shell tool.", abs)
	case skipSymlink:
		return contract.Outcome{}, contract.CondSymlink.Refuse(abs, nil,
			"%s is a symbolic link. Ask for the file that it points to.", abs)
	case skipUnreadable:
		return contract.CondUnverified.Outcome(
			"%s cannot be read (permission denied). Make it readable, then repeat the call.", abs), nil
	}
	if p.Row.Skip == "" { // the path is a folder
		return contract.Outcome{}, contract.CondNotRegular.Refuse(abs, nil,
			"%s is no indexed file. Give the path of a text file, or of a folder that holds some.", abs)
	}
	return contract.Outcome{}, contract.CondNotRegular.Refuse(abs, nil,
		"%s is not indexed (%s). Only regular text files are read.", abs, p.Row.Skip)
}

// These constants are the values of jit.FileRow.Skip that Unreadable explains: the reasons for
// which the index lists a file but not its text.
const (
	skipSecret     = "secret"
	skipBinary     = "binary"
	skipLFSPointer = "lfs_pointer"
	skipTooLarge   = "too_large"
	skipSymlink    = "symlink"
	skipUnreadable = "unreadable"
)

// missing converts the error for a file that the index does not list. It returns an outcome if the
// file does not exist, a refusal if it exists but is not part of the root, and any other error as
// it is.
func missing(abs string, err error) (contract.Outcome, error) {
	info, statErr := os.Lstat(abs)
	switch {
	case statErr == nil && info.IsDir():
		return contract.Outcome{}, contract.CondNotRegular.Refuse(abs, nil,
			"%s is a folder. Give the path of a text file in it.", abs)
	case errors.Is(err, jit.ErrOutside):
		return contract.Outcome{}, contract.CondOutside.Refuse(abs, nil,
			"%s is not below the codebase. Give a path relative to it, or the path of the codebase that has the file.",
			abs)
	case errors.Is(err, jit.ErrApart):
		return contract.Outcome{}, Apart(abs, &contract.ReadRequest{Path: abs})
	case errors.Is(err, jit.ErrIgnored):
		return contract.Outcome{}, contract.CondIgnored.Refuse(abs, nil,
			"%s is kept out by the ignore rules (.gitignore, .sextantignore or the defaults). Change the rule to "+
				"make it readable, or use a shell tool.", abs)
	case errors.Is(err, jit.ErrSymlink) && statErr == nil:
		return contract.Outcome{}, contract.CondSymlink.Refuse(abs, nil,
			"%s leads over a symbolic link. Ask for the file that it points to.", abs)
	case statErr == nil && !info.Mode().IsRegular():
		return contract.Outcome{}, contract.CondNotRegular.Refuse(abs, nil,
			"%s is no regular file. Give the path of a text file.", abs)
	case errors.Is(err, fs.ErrNotExist):
		return contract.CondMissingFile.Outcome("%s does not exist. search_codebase finds a file by its path: query "+
			"\"path:**/NAME\" with a word of its content.", abs), nil
	}
	return contract.Outcome{}, err
}

// Apart returns the refusal for a file in another checkout. next is the call that reads it there.
func Apart(abs string, next contract.Request) *contract.Refusal {
	return contract.CondOutside.Refuse(abs, &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(next)}},
		"%s is in a checkout of its own (a worktree, or a clone that is no submodule), of which the codebase around "+
			"it has nothing. Ask with that checkout as the path.", abs)
}

// ReportOrZero returns the report of p. If p is nil, because the file could not even be verified, it
// returns a zero report.
func (p *Parsed) ReportOrZero() (r jit.Report) {
	if p == nil {
		return r
	}
	return p.Report
}
