package accuracy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// AccessesOf, after the name of a language, is the name of an oracle: a program that lists the
// accesses of a work tree with the targets that a compiler found. An access is a read or assignment
// of a member, such as o.size = 1, that runs a getter or setter.
const AccessesOf = "-accesses"

// AccessFile returns the path of the stored truth about accesses, the targets that a compiler
// found, of the entry's repository.
func (e *Entry) AccessFile(corpus string) string {
	return filepath.Join(corpus, ".truth", e.Language+AccessesOf, e.folder()+".jsonl")
}

// Accesses is the measured accuracy of the resolved accesses of one repository. An access is a read
// or assignment that runs a getter or setter.
type Accesses struct {
	Language, Repo, Commit string
	Split                  Split
	// Precision is the share of right edges among the edges at accesses whose true target is known.
	// Recall is the share of accesses with a right edge among those that run a getter or setter of
	// the workspace.
	Precision, Recall Rate
}

// Add compares the edges at the accesses in a file with the truth, the targets that a compiler
// found. It returns the wrong edges, and the accesses without a right edge. It ignores a file
// without truth, which the compiler did not read.
func (a *Accesses) Add(truth []Truth, edges []Answer, indexed func(file string) bool) (wrong []Answer, missed []Truth) {
	if len(truth) == 0 {
		return nil, nil
	}
	found := map[access]Answer{}
	for _, e := range edges {
		found[access{position{e.Line, e.Column}, e.Write}] = e
	}
	for _, t := range truth {
		at := access{t.position(), t.Write}
		e, ok := found[at]
		delete(found, at)
		if t = inIndex(t, indexed); t.Class == ClassUnknown {
			continue
		}
		right := ok && slices.Contains(t.Targets, e.Target)
		if t.Class == ClassStatic {
			if a.Recall.add(right); !right {
				missed = append(missed, t)
			}
		}
		if ok {
			a.Precision.add(right)
		}
		if ok && !right {
			wrong = append(wrong, e)
		}
	}
	for _, e := range found {
		a.Precision.add(false)
		wrong = append(wrong, e)
	}
	slices.SortFunc(wrong, func(x, y Answer) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return wrong, missed
}

// access identifies one read or assignment of a member in a file.
type access struct {
	position
	write bool
}

var accessesFile = filepath.Join(GoldenDir, "accesses.tsv")

// ReadAccesses returns the committed figures about accesses, reads and assignments that run a
// getter or setter. It returns none if there is no file.
func ReadAccesses() (out []Accesses, err error) {
	text, err := os.ReadFile(accessesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		var counts [4]int
		for i := range counts {
			if len(f) != 4+len(counts) {
				return nil, fmt.Errorf("%s:%d: expected language, repository, commit, split and four counts",
					accessesFile, n+1)
			}
			if counts[i], err = strconv.Atoi(f[4+i]); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", accessesFile, n+1, err)
			}
		}
		out = append(out, Accesses{Language: f[0], Repo: f[1], Commit: f[2], Split: Split(f[3]),
			Precision: Rate{counts[0], counts[1]}, Recall: Rate{counts[2], counts[3]}})
	}
	return out, nil
}

// WriteAccesses writes the figures about the accesses of one repository into the committed file.
// They replace earlier figures about it.
func WriteAccesses(of *Accesses) error {
	all, err := ReadAccesses()
	if err != nil {
		return err
	}
	all = append(slices.DeleteFunc(all, func(a Accesses) bool {
		return a.Language == of.Language && a.Repo == of.Repo
	}), *of)
	slices.SortStableFunc(all, func(a, b Accesses) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Split, b.Split), cmp.Compare(a.Repo, b.Repo))
	})
	var text bytes.Buffer
	for _, a := range all {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", a.Language, a.Repo, a.Commit, a.Split,
			a.Precision.N, a.Precision.Hit, a.Recall.N, a.Recall.Hit)
	}
	return os.WriteFile(accessesFile, text.Bytes(), 0o644)
}

// accessTable writes the section of docs/accuracy.md about accesses: reads and assignments that run
// a getter or setter.
func accessTable(b *strings.Builder, all []Accesses) {
	if len(all) == 0 {
		return
	}
	b.WriteString(accessHead)
	for _, a := range all {
		fmt.Fprintf(b, "| %s | %s | %.10s | %s | %d | %s | %d | %s |\n", a.Language, a.Repo, a.Commit, a.Split,
			a.Precision.N, figure(a.Precision), a.Recall.N, figure(a.Recall))
	}
}

const accessHead = `
## Accesses

A property with a getter or setter is called where it is read or assigned. The compiler says which accesses run one of the
workspace. An edge of any other access is wrong: of a plain field, or of a property from outside.

One to a property of an interface
or an abstract one is right if the compiler names that property, whatever implements it; recall leaves these out. Accesses whose receiver the compiler
cannot type are not judged. ` + "`go run ./cmd/dev/accuracy accesses --write`" + ` makes this table, a line for each repository
measured.

| language | repository | commit | split | edges | precision | accesses | recall |
|---|---|---|---|---:|---|---:|---|
`
