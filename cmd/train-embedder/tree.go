package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"

	"sextant/internal/quality"
)

// maxFileBytes is the size from which a file is taken for data.
const maxFileBytes = 512 << 10

// blob is one file of a source.
type blob struct {
	path string
	text []byte
}

// blobs calls yield with every file of s that wanted lets pass, in the order of
// their paths.
func blobs(ctx context.Context, s quality.Source, corpus string, wanted func(path string) bool, yield func(blob) error) error {
	if strings.HasPrefix(s.Commit, "v") || s.Repository == "GOROOT" {
		dir, err := goDir(ctx, s)
		if err != nil {
			return err
		}
		return dirBlobs(dir, wanted, yield)
	}
	for _, dir := range []string{filepath.Join(corpus, s.FileName(), "repo"), filepath.Join(corpus, s.FileName())} {
		if exec.CommandContext(ctx, "git", "-C", dir, "cat-file", "-e", s.Commit+"^{commit}").Run() == nil {
			return gitBlobs(ctx, dir, s.Commit, wanted, yield)
		}
	}
	return fmt.Errorf("%s has no %s at commit %s", corpus, s.FileName(), s.Commit)
}

// goDir is where the go command keeps a module or the standard library.
func goDir(ctx context.Context, s quality.Source) (string, error) {
	if s.Repository == "GOROOT" {
		if runtime.Version() != s.Commit {
			return "", fmt.Errorf("the list has the standard library of %s, this is %s", s.Commit, runtime.Version())
		}
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		return filepath.Join(strings.TrimSpace(string(out)), "src"), err
	}
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", s.Repository+"@"+s.Commit).Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s@%s: %w", s.Repository, s.Commit, err)
	}
	_, rest, _ := strings.Cut(string(out), `"Dir": "`)
	dir, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return "", fmt.Errorf("go mod download %s@%s names no directory", s.Repository, s.Commit)
	}
	return dir, nil
}

func dirBlobs(dir string, wanted func(string) bool, yield func(blob) error) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if rel = filepath.ToSlash(rel); err != nil || !wanted(rel) {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > maxFileBytes {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return yield(blob{rel, text})
	})
}

// gitBlobs reads the files of a commit without a work tree. Blobs that the
// clone lacks (it may be partial) are left out.
func gitBlobs(ctx context.Context, dir, commit string, wanted func(string) bool, yield func(blob) error) error {
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "ls-tree", "-r", "-z", commit).Output()
	if err != nil {
		return fmt.Errorf("git ls-tree in %s: %w", dir, err)
	}
	type entry struct{ path, id string }
	var files []entry
	for line := range bytes.SplitSeq(out, []byte{0}) {
		head, path, ok := strings.Cut(string(line), "\t")
		fields := strings.Fields(head)
		if ok && len(fields) == 3 && strings.HasPrefix(fields[0], "100") && wanted(path) {
			files = append(files, entry{path, fields[2]})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })

	cmd := exec.CommandContext(ctx, "git", "-C", dir, "cat-file", "--batch", "--buffer")
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1")
	var ids strings.Builder
	for _, f := range files {
		ids.WriteString(f.id + "\n")
	}
	cmd.Stdin = strings.NewReader(ids.String())
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := bufio.NewReaderSize(pipe, 1<<20)
	for _, f := range files {
		text, err := readObject(r)
		if err == nil && text != nil {
			err = yield(blob{f.path, text})
		}
		if err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			return fmt.Errorf("%s of %s: %w", f.path, dir, err)
		}
	}
	return cmd.Wait()
}

// readObject reads one answer of git cat-file; nil for what is missing or too
// long.
func readObject(r *bufio.Reader) ([]byte, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, fmt.Errorf("git cat-file said %q", head)
	}
	if size > maxFileBytes {
		_, err = io.CopyN(io.Discard, r, int64(size)+1)
		return nil, err
	}
	text := make([]byte, size+1)
	_, err = io.ReadFull(r, text)
	return text[:size], err
}
