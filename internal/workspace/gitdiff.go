package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/gitobject"
)

// These are errors of Difference on which callers branch.
var (
	// ErrNoRevision says that no repository of the tree has the revision.
	ErrNoRevision = errors.New("no such revision")
	// ErrShallow says that a repository lacks an object that the comparison needs, as a shallow or
	// partial clone does.
	ErrShallow = errors.New("the clone has only a part of the history")
	// ErrNoRepository says that the tree is in no git repository.
	ErrNoRepository = errors.New("no git repository")
)

// maxDiffers bounds the number of changed files whose texts a Difference holds. A change that a
// person reviews is smaller.
const maxDiffers = 300

// Difference lists the files that differ between two states of a tree.
type Difference struct {
	// From and To are the first digits of the commits that were compared, of
	// the repository nearest to the root; "" for the files on disk, and for a
	// repository without commits.
	From, To string
	Files    []FileChange // sorted by path
	Omitted  int          // changed files beyond maxDiffers
	// Problems names repositories that were left out, one line each.
	Problems []string
}

// FileChange is a file that differs. Its texts have "\n" at their line ends and
// masked credentials.
type FileChange struct {
	Path string // path relative to the root; the former path if the file was removed
	Was  string // earlier path of a renamed file; "" for other files
	// Before and After are the texts. A text is nil if there is no file on that
	// side, or if it cannot be read as text.
	Before, After  []byte
	Added, Removed bool
}

// candidate is a file that may differ between the two sides of a Difference.
type candidate struct {
	path          string
	store         *gitobject.Store
	before, after gitobject.ID // ids of the contents; zero if there is none; after is zero for a file on disk, too
	onDisk        bool
}

// Difference compares the files on disk with a revision ("" is HEAD), or two commits with each
// other ("A..B", or "A...B" from their merge base on). files lists the files that no rule
// ignores; if it is nil, Difference scans the tree for them. The revision is looked up in every
// repository of the tree; it is an error if none has it. Difference runs no program.
func (g *Git) Difference(ctx context.Context, revision string,
	files iter.Seq2[string, code.StatKey]) (out Difference, err error) {
	if files == nil {
		if files, err = g.scan(ctx); err != nil {
			return out, fmt.Errorf("compare with %q: %w", revision, err)
		}
	}
	run := &comparison{git: g, repos: map[string]*repository{}, indexes: map[*repository]*repoIndex{}}
	run.repoOf("")
	work := map[*repository]map[string]bool{} // path → whether the file differs from the git index
	for p, key := range files {
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("compare with %q: %w", revision, err)
		}
		if r := run.repoOf(code.Dir(p)); r != nil {
			if work[r] == nil {
				work[r] = map[string]bool{}
			}
			work[r][p] = run.changed(r, p, key)
		}
	}
	var found []candidate
	var failed []error
	for _, r := range run.repositories() {
		store := gitobject.Open(r.git.dir, r.git.common)
		defer store.Close()
		d := &differ{git: g, repository: r, index: run.indexes[r], store: store, work: work[r]}
		list, err := d.compare(ctx, revision)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if out.From+out.To == "" {
			out.From, out.To = d.from, d.to
		}
		found = append(found, list...)
	}
	switch {
	case len(run.indexes) == 0:
		return out, fmt.Errorf("compare with %q: %w", revision, ErrNoRepository)
	case len(failed) == len(run.indexes):
		return out, errors.Join(failed...)
	}
	for _, err := range failed {
		out.Problems = append(out.Problems, err.Error())
	}
	return out, g.texts(ctx, found, &out)
}

// repositories returns the repositories that were read, outermost first.
func (c *comparison) repositories() (out []*repository) {
	for r := range c.indexes {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *repository) int { return strings.Compare(a.strip, b.strip) })
	return out
}

// differ compares the files of one repository with a revision.
type differ struct {
	git        *Git
	repository *repository
	index      *repoIndex
	store      *gitobject.Store
	work       map[string]bool // path → whether the file on disk differs from the git index
	from, to   string          // first digits of the compared commits; to is "" for the files on disk
}

// compare returns the files that may differ between the two sides of revision. Its error is ErrNoRevision if
// the repository lacks a commit that revision names.
func (d *differ) compare(ctx context.Context, revision string) (out []candidate, err error) {
	before, after, err := d.states(ctx, revision)
	if err == nil && d.to != "" {
		err = d.store.Differ(ctx, before, after, func(path string, was, now gitobject.ID) {
			out = append(out, candidate{path: d.repository.strip + path, store: d.store, before: was, after: now})
		})
	} else if err == nil {
		out, err = d.onDisk(ctx, before)
	}
	if errors.Is(err, gitobject.ErrRevision) {
		err = noRevision{err}
	}
	if errors.Is(err, gitobject.ErrMissing) {
		err = fmt.Errorf("%q: %w", revision, ErrShallow)
	}
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", filepath.Join(d.git.tree.root, d.repository.strip), err)
	}
	return out, nil
}

// noRevision is an error of gitobject that also counts as ErrNoRevision. The message names the
// revision and the cause.
type noRevision struct{ error }

func (noRevision) Is(target error) bool { return target == ErrNoRevision }

// states returns the trees to compare. If the root is a folder of the
// repository, they are the trees of this folder. after is the zero ID if
// revision is to be compared with the files on disk.
func (d *differ) states(ctx context.Context, revision string) (before, after gitobject.ID, err error) {
	a, b, isRange := strings.Cut(revision, "..")
	b, fromBase := strings.CutPrefix(b, ".")
	if !isRange && (a == "" || a == "HEAD" || a == "@") && d.store.Unborn() {
		return before, after, nil // in a repository without commits, all files are new
	}
	commit, err := d.store.Resolve(a)
	if err != nil {
		return before, after, err
	}
	if isRange {
		to, err := d.store.Resolve(b)
		if err == nil && fromBase {
			commit, err = d.store.MergeBase(ctx, commit, to)
		}
		if err != nil {
			return before, after, err
		}
		d.to = to.String()
		if after, err = d.treeOf(to); err != nil {
			return before, after, err
		}
	}
	d.from = commit.String()
	before, err = d.treeOf(commit)
	return before, after, err
}

// treeOf returns the tree of a commit or, if the root is a folder of the
// repository, the tree of this folder. It returns the zero ID, an empty tree,
// if the commit lacks the folder.
func (d *differ) treeOf(commit gitobject.ID) (gitobject.ID, error) {
	tree, err := d.store.Tree(commit)
	if err != nil {
		return tree, err
	}
	below, ok, err := d.store.Below(tree, strings.TrimSuffix(d.repository.lift, "/"))
	if !ok {
		return gitobject.ID{}, err
	}
	return below, nil
}

// onDisk compares a tree with the files on disk. A file counts as equal,
// without reading its text, if it is unchanged since it was staged and the
// staged version is that of the tree.
func (d *differ) onDisk(ctx context.Context, tree gitobject.ID) (out []candidate, err error) {
	met := map[string]bool{}
	err = d.store.Files(ctx, tree, func(f gitobject.File) {
		p := d.repository.strip + f.Path
		met[p] = true
		differs, indexed := d.work[p]
		e := d.index.find(d.repository.relative(p))
		if indexed && !differs && e != nil && e.oid == f.ID {
			return
		}
		if !indexed && e != nil && e.trusted {
			return // a sparse checkout leaves the file out, so nobody removed it
		}
		if !indexed {
			if _, err := os.Lstat(filepath.Join(d.git.tree.root, filepath.FromSlash(p))); err == nil {
				return // the file is not indexed, so nothing is known about it
			}
		}
		out = append(out, candidate{path: p, store: d.store, before: f.ID, onDisk: indexed})
	})
	for p := range d.work {
		if !met[p] {
			out = append(out, candidate{path: p, store: d.store, onDisk: true})
		}
	}
	return out, err
}

// texts reads the texts of the candidates and adds those that differ to out.
func (g *Git) texts(ctx context.Context, found []candidate, out *Difference) error {
	slices.SortFunc(found, func(a, b candidate) int { return strings.Compare(a.path, b.path) })
	for _, c := range found {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read the changed files: %w", err)
		}
		if secretIn(filepath.Base(g.tree.root), c.path) {
			continue
		}
		if len(out.Files) == maxDiffers {
			out.Omitted++
			continue
		}
		f := FileChange{Path: c.path, Before: g.blob(&c, c.before), After: g.blob(&c, c.after)}
		if c.onDisk {
			f.After = g.now(c.path)
		}
		f.Added = c.before == gitobject.ID{}
		f.Removed = c.after == gitobject.ID{} && !c.onDisk
		if f.Before == nil || f.After == nil || !bytes.Equal(f.Before, f.After) {
			out.Files = append(out.Files, f)
		}
	}
	out.Files = joinRenamed(out.Files)
	return nil
}

// blob returns the text of a file in a commit. It returns nil if the commit
// lacks the file, or if it is binary or too large.
func (g *Git) blob(c *candidate, id gitobject.ID) []byte {
	if id == (gitobject.ID{}) {
		return nil
	}
	text, err := c.store.Blob(id, g.tree.policy.MaxFileBytes)
	if text = decoded(text); err != nil || Binary(text) {
		return nil
	}
	redact(c.path, text)
	return withoutReturns(text)
}

// now returns the text of a file on disk; nil if it cannot be read, for example because it was
// removed after the files were listed.
func (g *Git) now(path string) []byte {
	text, _, err := g.tree.Read(path, 0)
	if err != nil || Binary(text) {
		return nil
	}
	return withoutReturns(text)
}

// withoutReturns returns a text with "\n" at the line ends: git may convert
// them on the way to the disk.
func withoutReturns(text []byte) []byte {
	if text == nil {
		text = []byte{}
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// joinRenamed replaces a removed file and an added one by one renamed file if
// their texts are equal, or if they share the base name and most of their
// lines.
func joinRenamed(list []FileChange) []FileChange {
	taken := map[int]bool{}
	for i := range list {
		now := &list[i]
		if !now.Added || now.After == nil {
			continue
		}
		best, most := -1, 0.5
		for j := range list {
			was := &list[j]
			if !was.Removed || was.Before == nil || taken[j] {
				continue
			}
			share := 0.0
			if bytes.Equal(was.Before, now.After) && len(now.After) > 0 {
				share = 1
			} else if code.Base(was.Path) == code.Base(now.Path) {
				share = sharedLines(was.Before, now.After)
			}
			if share > most {
				best, most = j, share
			}
		}
		if best >= 0 {
			taken[best] = true
			now.Was, now.Before, now.Added = list[best].Path, list[best].Before, false
		}
	}
	kept := list[:0]
	for i := range list {
		if !taken[i] {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// sharedLines returns the share of the longer text's lines, from 0 to 1, that are in both texts.
func sharedLines(a, b []byte) float64 {
	has := map[string]int{}
	lines, shared := 0, 0
	for line := range bytes.Lines(a) {
		has[string(line)]++
		lines++
	}
	others := 0
	for line := range bytes.Lines(b) {
		others++
		if has[string(line)] > 0 {
			has[string(line)]--
			shared++
		}
	}
	return float64(shared) / float64(max(lines, others, 1))
}
