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

// Use is a kind of use of a name that is no call and is measured apart from calls.
type Use string

const (
	// Accessed is a read or assignment of a member, such as o.size = 1, that runs a getter or setter.
	Accessed Use = "accesses"
	// Taken is a function that is used as a value, such as less in sort.Slice(rows, less).
	Taken Use = "references"
)

// Of returns the name of the oracle for a language: a program that lists such uses in a work tree
// with the targets that a compiler found.
func (u Use) Of(language string) string { return language + "-" + string(u) }

// committed returns the path of the committed figures.
func (u Use) committed() string { return filepath.Join(GoldenDir, string(u)+".tsv") }

// UseFile returns the path of the stored truth about a kind of use, the targets that a compiler
// found, of the entry's repository.
func (e *Entry) UseFile(corpus string, u Use) string {
	return filepath.Join(corpus, ".truth", u.Of(e.Language), e.folder()+".jsonl")
}

// Uses is the measured accuracy of one kind of use in one repository.
type Uses struct {
	Use                    Use
	Language, Repo, Commit string
	Split                  Split
	// Precision is the share of right edges among the edges at uses whose true target is known.
	// Recall is the share of uses with a right edge among those that lead to a function of the
	// workspace.
	Precision, Recall Rate
}

// Add compares the edges at the uses in a file with the truth, the targets that a compiler found. It
// returns the wrong edges, and the uses without a right edge. It ignores a file without truth, which
// the compiler did not read.
func (a *Uses) Add(truth []Truth, edges []Answer, indexed func(file string) bool) (wrong []Answer, missed []Truth) {
	if len(truth) == 0 {
		return nil, nil
	}
	found := map[use]Answer{}
	for _, e := range edges {
		found[use{position{e.Line, e.Column}, e.Write}] = e
	}
	for _, t := range truth {
		at := use{t.position(), t.Write}
		e, ok := found[at]
		delete(found, at)
		if t = inIndex(t, indexed); t.Class == ClassUnknown {
			continue
		}
		right := ok && slices.Contains(t.Targets, e.Target)
		if t.Class == ClassStatic || t.Class == ClassInterface {
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

// use identifies one use of a name in a file.
type use struct {
	position
	write bool
}

// AllUses returns the committed figures of each kind of use.
func AllUses() (out [][]Uses, err error) {
	for _, u := range []Use{Accessed, Taken} {
		of, err := ReadUses(u)
		if err != nil {
			return nil, err
		}
		out = append(out, of)
	}
	return out, nil
}

// ReadUses returns the committed figures about a kind of use. It returns none if there is no file.
func ReadUses(u Use) (out []Uses, err error) {
	text, err := os.ReadFile(u.committed())
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
					u.committed(), n+1)
			}
			if counts[i], err = strconv.Atoi(f[4+i]); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", u.committed(), n+1, err)
			}
		}
		out = append(out, Uses{Use: u, Language: f[0], Repo: f[1], Commit: f[2], Split: Split(f[3]),
			Precision: Rate{counts[0], counts[1]}, Recall: Rate{counts[2], counts[3]}})
	}
	return out, nil
}

// WriteUses writes the figures about one repository into the committed file of their kind. They
// replace earlier figures about it.
func WriteUses(of *Uses) error {
	all, err := ReadUses(of.Use)
	if err != nil {
		return err
	}
	all = append(slices.DeleteFunc(all, func(a Uses) bool {
		return a.Language == of.Language && a.Repo == of.Repo
	}), *of)
	slices.SortStableFunc(all, func(a, b Uses) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Split, b.Split), cmp.Compare(a.Repo, b.Repo))
	})
	var text bytes.Buffer
	for _, a := range all {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", a.Language, a.Repo, a.Commit, a.Split,
			a.Precision.N, a.Precision.Hit, a.Recall.N, a.Recall.Hit)
	}
	return os.WriteFile(of.Use.committed(), text.Bytes(), 0o644)
}

// useTable writes the section of docs/accuracy.md about one kind of use.
func useTable(b *strings.Builder, all []Uses) {
	if len(all) == 0 {
		return
	}
	b.WriteString(useHeads[all[0].Use])
	fmt.Fprintf(b, "\n| language | repository | commit | split | edges | precision | %s | recall |\n", all[0].Use)
	b.WriteString("|---|---|---|---|---:|---|---:|---|\n")
	for _, a := range all {
		fmt.Fprintf(b, "| %s | %s | %.10s | %s | %d | %s | %d | %s |\n", a.Language, a.Repo, a.Commit, a.Split,
			a.Precision.N, figure(a.Precision), a.Recall.N, figure(a.Recall))
	}
}

var useHeads = map[Use]string{Accessed: `
## Accesses

A property with a getter or setter is called where it is read or assigned. The compiler says which accesses run one of the
workspace. An edge of any other access is wrong: of a plain field, or of a property from outside.

One to a property of an interface
or an abstract one is right if the compiler names that property, whatever implements it; recall leaves these out. Accesses whose receiver the compiler
cannot type are not judged. ` + "`go run ./cmd/dev/accuracy accesses --write`" + ` makes this table, a line for each repository
measured.
`, Taken: `
## References

A function or a method may be used as a value, without a call: ` + "`sort.Slice(rows, less)`, `box{Gone: h.gone}`" + `. The compiler
says which names are functions of the workspace and are not called. An edge at any other name is wrong: at a variable, a field, a
type, or a function from outside.

A method of an interface counts like any other; the right edge leads to the interface. Files that
the compiler does not read, and names that it cannot resolve, are not judged. None of these references is among the calls above.
` + "`go run ./cmd/dev/accuracy references --write`" + ` makes this table, a line for each repository measured.
`}
