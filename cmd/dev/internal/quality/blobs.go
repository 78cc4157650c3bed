package quality

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
)

// MaxFile is the size in bytes above which a file counts as data and is
// skipped.
const MaxFile = 512 << 10

// Blobs calls yield with each file of a commit for which wanted returns true, in the order of their
// paths. It reads them from the repository and needs no work tree. It skips files larger than
// MaxFile and those that a partial clone lacks.
func (c Clone) Blobs(ctx context.Context, commit string, wanted func(path string) bool,
	yield func(path string, text []byte) error) error {
	out, err := c.git(ctx, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return err
	}
	type entry struct{ path, id string }
	var files []entry
	var ids strings.Builder
	for line := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if ok && len(fields) == 3 && strings.HasPrefix(fields[0], "100") && wanted(path) {
			files = append(files, entry{path, fields[2]})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	for _, f := range files {
		ids.WriteString(f.id + "\n")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // this ends git if yield fails
	cmd := exec.CommandContext(ctx, "git", "-C", c.Dir, "cat-file", "--batch", "--buffer")
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1")
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
			err = yield(f.path, text)
		}
		if err != nil {
			cancel()
			_ = cmd.Wait() // the error only says that git was killed
			return fmt.Errorf("%s of %s: %w", f.path, c.Dir, err)
		}
	}
	return cmd.Wait()
}

// readObject reads one answer of git cat-file. It returns nil for an object that is missing or
// larger than MaxFile.
func readObject(in *bufio.Reader) ([]byte, error) {
	head, err := in.ReadString('\n')
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
	if size > MaxFile {
		_, err = io.CopyN(io.Discard, in, int64(size)+1)
		return nil, err
	}
	text := make([]byte, size+1)
	_, err = io.ReadFull(in, text)
	return text[:size], err
}
