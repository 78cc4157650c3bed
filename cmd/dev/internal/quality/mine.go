package quality

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/internal/workspace"
)

// Extractor extracts the symbols of a file.
type Extractor func(path string, text []byte) (code.File, error)

// Clone is a git repository on disk.
type Clone struct{ Dir string }

// Find returns the clone of owner/name below dir: the folder owner+name/repo or
// owner+name.
func Find(dir, repository string) (Clone, error) {
	name := strings.ReplaceAll(repository, "/", "+")
	for _, d := range []string{filepath.Join(dir, name, "repo"), filepath.Join(dir, name)} {
		if exec.Command("git", "-C", d, "rev-parse", "--git-dir").Run() == nil {
			return Clone{d}, nil
		}
	}
	return Clone{}, fmt.Errorf("%s has no clone of %s", dir, repository)
}

func (c Clone) git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", c.Dir}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w", args[0], c.Dir, err)
	}
	return string(out), nil
}

// IsSource reports whether the file at path is code that may contain functions, of class source: no
// test, no generated file and the like.
func IsSource(path string) bool {
	l, ok := lang.Detect(path)
	return ok && (l.Depth == lang.Calls || l.Program) && workspace.Classify(path, nil) == code.ClassSource
}

// IsAny accepts every file.
func IsAny(string) bool { return true }

// Checkout replaces the contents of dir with the files of a commit for which wanted returns true.
// change returns the text to write for each file; a nil change leaves texts unchanged.
func (c Clone) Checkout(ctx context.Context, commit, dir string, wanted func(path string) bool,
	change func(path string, text []byte) []byte) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return c.Blobs(ctx, commit, wanted, func(path string, text []byte) error {
		if change != nil {
			text = change(path, text)
		}
		return writeFile(dir, path, text)
	})
}

func writeFile(dir, path string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// Update changes the source files in dir from those of one commit to those of another.
func (c Clone) Update(ctx context.Context, from, to, dir string) error {
	out, err := c.git(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to)
	if err != nil {
		return err
	}
	for path := range strings.SplitSeq(out, "\x00") {
		if path == "" || !IsSource(path) {
			continue
		}
		text, err := c.git(ctx, "cat-file", "blob", to+":"+path)
		if err == nil && len(text) <= MaxFile {
			err = writeFile(dir, path, []byte(text))
		} else if ctx.Err() == nil { // not in the commit any more
			err = os.RemoveAll(filepath.Join(dir, filepath.FromSlash(path)))
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Sentences returns at most max questions for functions of a commit, evenly
// spread over the repository. The text of a question comes from the function's
// doc comment.
func (c Clone) Sentences(ctx context.Context, commit string, extract Extractor, max int) ([]Question, error) {
	var all []Question
	asked := map[string]int{}
	err := c.Blobs(ctx, commit, IsSource, func(path string, text []byte) error {
		f, err := extract(path, text)
		if err != nil || workspace.Classify(path, text[:min(len(text), 4096)]) != code.ClassSource {
			return nil // a file that cannot be parsed has no functions
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if !s.Kind.Callable() || s.Kind == code.KindTest || len(bytes.TrimSpace(f.Text[s.Body[0]:s.Body[1]])) < 3 {
				continue
			}
			sentence, _ := DocQueries(s.Doc, s.Name)
			if sentence = plain(sentence); sentence != "" {
				asked[sentence]++
				all = append(all, Question{Query: sentence, Commit: commit,
					Answers: []Answer{{File: path, Symbol: s.QualifiedName, Line: s.Span.StartLine}}})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var once []Question
	for _, q := range all {
		if asked[q.Query] == 1 {
			once = append(once, q)
		}
	}
	return spread(once, max), nil
}

// spread returns at most n elements of list, evenly spaced.
func spread(list []Question, n int) []Question {
	if len(list) <= n {
		return list
	}
	out := make([]Question, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

var notWord = regexp.MustCompile(`[^\pL\pN_.'-]+|(^|\s)[-'.]+|[-'.]+(\s|$)`)

// plain returns text without characters that a query language might interpret.
func plain(text string) string {
	return strings.Join(strings.Fields(notWord.ReplaceAllString(text, " ")), " ")
}

const (
	minSubject = 4 // least number of words of a subject
	maxChanged = 5 // files of a commit; a larger commit is about no file in particular
)

var (
	subjectHead = regexp.MustCompile(`^(\w+(\([^)]*\))?!?:|\[[^\]]*\]|#\d+:?)\s*`)
	subjectTail = regexp.MustCompile(`\s*\(?#\d+\)?\.?$`)
	dullSubject = regexp.MustCompile(
		`(?i)\b(merge|revert|bump|release|version|changelog|typos?|lint|format|fmt|upgrade|dependenc|deps|ci|cleanup|clean up|rubocop|mypy|phpstan|docs?|documentation|comment|readme|copyright|refactor|rename|tests?)\b`)
	botAuthor = regexp.MustCompile(`(?i)bot\b|\[bot\]|renovate|dependabot|actions|weblate`)
)

// Commits returns at most max questions whose text is the subject of a commit. The answers are the
// files that the commit changed; the tree to search is the one before the commit. It uses the
// newest suitable commits before head, and returns the oldest of them first.
func (c Clone) Commits(ctx context.Context, head string, max int) ([]Question, error) {
	out, err := c.git(ctx, "log", "--first-parent", "--no-renames", "--max-count=6000", "--max-parents=1",
		"--diff-filter=M", "--name-only", "--format=%x00%H%x01%P%x01%an%x01%s", head)
	if err != nil {
		return nil, err
	}
	var list []Question
	for entry := range strings.SplitSeq(out, "\x00") {
		head, files, _ := strings.Cut(entry, "\n")
		fields := strings.Split(head, "\x01")
		if len(fields) != 4 || botAuthor.MatchString(fields[2]) || dullSubject.MatchString(fields[3]) {
			continue
		}
		subject := plain(subjectTail.ReplaceAllString(subjectHead.ReplaceAllString(fields[3], ""), ""))
		q := Question{Query: subject, Commit: fields[1]}
		for file := range strings.Lines(files) {
			if file = strings.TrimSpace(file); IsSource(file) {
				q.Answers = append(q.Answers, Answer{File: file})
			}
		}
		if len(strings.Fields(subject)) < minSubject || len(q.Answers) == 0 || len(q.Answers) > maxChanged {
			continue
		}
		if list = append(list, q); len(list) == max {
			break
		}
	}
	for l, r := 0, len(list)-1; l < r; l, r = l+1, r-1 {
		list[l], list[r] = list[r], list[l]
	}
	return list, nil
}
