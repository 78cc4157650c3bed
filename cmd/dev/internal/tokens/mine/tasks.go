package mine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/quality"
	"sextant/cmd/dev/internal/tokens"
)

// each is the number of tasks of each kind per repository. They add up to fifty, so that batches
// of ten are full.
var each = map[tokens.Kind]int{tokens.Locate: 7, tokens.Describe: 6, tokens.Recall: 3, tokens.Definition: 6,
	tokens.Callers: 7, tokens.Trace: 6, tokens.Outline: 5, tokens.Impact: 5, tokens.Literal: 5}

// These constants bound tasks, so that an answer is neither trivial nor longer than a screen.
const (
	fewestCallers, mostCallers = 2, 25
	fewestDirect, mostTrace    = 2, 25
	fewestExports, mostExports = 5, 60
	mostTests                  = 8
	fewestWords                = 5 // least number of words of a sentence
	fewestKeys, mostKeys       = 3, 6
)

// Source is a repository from which tasks are derived.
type Source struct {
	Name         string
	Dir          string
	Declarations []Declaration
	Truth        []accuracy.Truth
	// Asked holds the tasks of earlier draws. No task of the new draw has the answer of one of
	// them.
	Asked []tokens.Task
	// Times multiplies the number of tasks of each kind; 0 means 1.
	Times int
	// Kinds are the kinds of tasks to draw; none means all.
	Kinds []tokens.Kind
}

// traced are the kinds of tasks whose answers come from Source.Truth.
var traced = []tokens.Kind{tokens.Definition, tokens.Callers, tokens.Trace, tokens.Impact}

// Traced reports whether the tasks to draw need Truth.
func (s *Source) Traced() bool {
	return slices.ContainsFunc(traced, s.draws)
}

// draws reports whether tasks of a kind are drawn.
func (s *Source) draws(k tokens.Kind) bool { return len(s.Kinds) == 0 || slices.Contains(s.Kinds, k) }

// Tasks draws tasks about a repository at random, with the given seed.
func Tasks(src *Source, seed uint64) ([]tokens.Task, error) {
	m := &miner{Source: src, graph: newGraph(src.Declarations, src.Truth), random: rand.New(rand.NewPCG(seed, 0)),
		named: map[string][]int{}, asked: map[string]bool{}, taken: map[answer]bool{}}
	for i, d := range m.declared {
		m.named[d.Qualified] = append(m.named[d.Qualified], i)
	}
	for i := range src.Asked {
		if t := &src.Asked[i]; t.Repository == src.Name {
			m.taken[answerOf(t)] = true
		}
	}
	var err error
	if m.text, err = wholeText(src.Dir); err != nil {
		return nil, err
	}
	var out []tokens.Task
	for _, kind := range tokens.Kinds {
		if m.draws(kind) {
			out = append(out, m.draw(kind)...)
		}
	}
	m.random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}

// miner draws the tasks about one repository.
type miner struct {
	*Source
	*graph
	random *rand.Rand
	named  map[string][]int // declarations by qualified name
	text   string           // concatenated text of all files
	asked  map[string]bool  // reports for each file whether questions may be asked about it
	taken  map[answer]bool  // answers of an earlier draw
}

// answer identifies the answer of a task, by the kind of the task and the first place of its first
// target. It serves to find tasks of another draw with the same answer. Describe and Recall count
// as one kind.
type answer struct {
	kind  tokens.Kind
	place tokens.Place
}

// answerOf returns a text that identifies the answer of a task.
func answerOf(t *tokens.Task) answer {
	kind := t.Kind
	if kind == tokens.Recall {
		kind = tokens.Describe
	}
	return answer{kind, t.Targets[0][0]}
}

// draw returns the tasks of a kind, all about different declarations and files.
func (m *miner) draw(kind tokens.Kind) (out []tokens.Task) {
	used := map[string]bool{}
	wanted := each[kind] * max(m.Times, 1)
	for _, i := range m.random.Perm(len(m.declared)) {
		d := &m.declared[i]
		if len(out) == wanted || tokens.IsTest(d.File) || notCode.MatchString(d.File) || used[d.File] ||
			len(d.Name) < 3 || !m.askable(d.File) {
			continue
		}
		t := m.task(kind, i)
		if t == nil {
			continue
		}
		if t.Repository, t.Kind = m.Name, kind; m.taken[answerOf(t)] {
			continue
		}
		used[d.File] = true
		out = append(out, *t)
	}
	return out
}

var generated = regexp.MustCompile(`(?m)^(//|#|/?\*) ?.*(Code generated .*DO NOT EDIT|@generated)`)

// askable reports whether tasks may be about a file: it is neither too large to be searched nor
// generated.
func (m *miner) askable(file string) bool {
	ok, seen := m.asked[file]
	if !seen {
		text, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(file)))
		ok = err == nil && len(text) <= quality.MaxFile && !generated.Match(text[:min(len(text), 2000)])
		m.asked[file] = ok
	}
	return ok
}

var notCode = regexp.MustCompile(`(^|/)(testdata|vendor|docs?|examples?|playground|samples?|sample|fixtures?)/`)

// task returns a task of a kind about a declaration; nil if the declaration does not suit that
// kind.
func (m *miner) task(kind tokens.Kind, i int) *tokens.Task {
	d := &m.declared[i]
	t := &tokens.Task{Name: d.Name, Symbol: d.Qualified, File: d.File}
	switch kind {
	case tokens.Callers, tokens.Trace, tokens.Impact:
		if d.Type || m.overloaded(i) {
			return nil // the name is ambiguous
		}
	}
	switch kind {
	case tokens.Locate:
		t.File = ""
		if len(m.named[d.Qualified]) > 1 {
			return nil
		}
		t.Targets = []tokens.Target{{d.place()}}
	case tokens.Describe, tokens.Recall:
		return m.describe(kind, d)
	case tokens.Definition:
		return m.definition(i)
	case tokens.Callers:
		if t.Targets = m.callers(i); len(t.Targets) < fewestCallers || len(t.Targets) > mostCallers {
			return nil
		}
	case tokens.Trace:
		direct := 0
		if t.Targets, direct = m.trace(i); direct < fewestDirect || len(t.Targets) <= direct ||
			len(t.Targets) > mostTrace {
			return nil
		}
	case tokens.Outline:
		return m.outline(d.File)
	case tokens.Impact:
		if t.Targets = m.impact(i); len(t.Targets) == 0 || len(t.Targets) > mostTests {
			return nil
		}
	case tokens.Literal:
		return m.literal(d)
	}
	return t
}

// overloaded reports whether another declaration of the file has the same
// qualified name.
func (m *miner) overloaded(i int) bool {
	d := &m.declared[i]
	return slices.ContainsFunc(m.named[d.Qualified], func(other int) bool {
		return other != i && m.declared[other].File == d.File
	})
}

// describe returns a task that asks for a declaration by its doc comment: by key words of the first
// sentence, or, for Recall, by the sentence itself, with the comment removed from the searched
// file. It returns nil if the sentence contains the name of the declaration after its first word.
// If other declarations of that name have a comment that begins with the same sentence, they are
// right answers too.
func (m *miner) describe(kind tokens.Kind, d *Declaration) *tokens.Task {
	sentence, _ := quality.DocQueries(d.Doc, d.Name)
	if d.DocFrom == 0 || len(strings.Fields(sentence)) < fewestWords ||
		strings.Contains(wordsAfter(d.Doc, sentence), d.Name) {
		return nil
	}
	t := &tokens.Task{Text: sentence}
	if kind == tokens.Recall {
		t.Blank = &tokens.Lines{File: d.File, From: d.DocFrom, To: d.DocEnd}
	} else if t.Text = keyWords(sentence); t.Text == "" {
		return nil
	}
	var target tokens.Target
	for i := range m.declared {
		other := &m.declared[i]
		if other.Name != d.Name {
			continue
		}
		if said, _ := quality.DocQueries(other.Doc, other.Name); said == sentence {
			target = append(target, other.place())
		}
	}
	t.Targets = []tokens.Target{target}
	return t
}

// wordsAfter returns the text of a comment after its first word, cut to the
// length of the sentence.
func wordsAfter(doc, sentence string) string {
	_, rest, _ := strings.Cut(strings.TrimSpace(doc), " ")
	return rest[:min(len(rest), len(sentence))]
}

var keyWord = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]{2,}`)

// keyWords returns the words of a sentence that an agent would search for, or "" if there are fewer
// than fewestKeys.
func keyWords(sentence string) string {
	var out []string
	for _, w := range keyWord.FindAllString(sentence, -1) {
		if !tokens.Common(w) && !slices.Contains(out, w) && len(out) < mostKeys {
			out = append(out, w)
		}
	}
	if len(out) < fewestKeys {
		return ""
	}
	return strings.Join(out, " ")
}

// definition returns a task about a call of a declaration, in another file: which function does the
// call run? It draws the call at random, and returns nil if the call is in the same file or uses
// another name.
func (m *miner) definition(i int) *tokens.Task {
	d := &m.declared[i]
	if len(m.to[i]) == 0 {
		return nil
	}
	s := &m.sites[m.to[i][m.random.IntN(len(m.to[i]))]]
	if s.place.File == d.File || s.name != d.Name {
		return nil
	}
	target := tokens.Target{d.place()}
	return &tokens.Task{Name: d.Name, File: s.place.File, Line: s.place.Line, Targets: []tokens.Target{target}}
}

// outline returns a task that asks for the exported declarations of a file; nil if they are too few or too
// many.
func (m *miner) outline(file string) *tokens.Task {
	t := &tokens.Task{File: file}
	for _, i := range m.in[file] {
		if d := &m.declared[i]; d.Exported {
			t.Targets = append(t.Targets, tokens.Target{d.place()})
		}
	}
	if len(t.Targets) < fewestExports || len(t.Targets) > mostExports {
		return nil
	}
	return t
}

var literalMark = regexp.MustCompile(`"([A-Za-z][^"\\\n]{11,60})"`)

// literal returns a task that asks for the line of a string literal in a declaration. The text of
// the literal occurs nowhere else in the repository. It returns nil if there is no such literal.
func (m *miner) literal(d *Declaration) *tokens.Task {
	text, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(d.File)))
	if err != nil {
		return nil
	}
	lines := strings.Split(string(text), "\n")
	for n := d.Line; n <= min(d.End, len(lines)); n++ {
		found := literalMark.FindStringSubmatch(lines[n-1])
		if found == nil || !strings.Contains(found[1], " ") || strings.Count(m.text, found[1]) != 1 {
			continue
		}
		return &tokens.Task{Text: found[1], Targets: []tokens.Target{{{File: d.File, Line: n}}}}
	}
	return nil
}

// wholeText returns the text of all files below dir.
func wholeText(dir string) (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		all.Write(text)
		all.WriteByte('\n')
		return err
	})
	return all.String(), err
}
