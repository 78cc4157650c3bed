package quality

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Answer is one location that answers a question.
type Answer struct {
	File string `json:"file"` // path relative to the repository, '/'-separated
	// qualified name of the symbol, or the end of it; "" if the file is the answer
	Symbol string `json:"symbol,omitempty"`
	Line   int    `json:"line,omitempty"` // first line of the declaration, 1-based; 0 if the name suffices
	// Overload reports that a result lists this place beside its own, so that it has the rank of the
	// place before it.
	Overload bool `json:"-"`
}

// Question is one query with all its right answers.
type Question struct {
	Query        string   `json:"question"`
	Commit       string   `json:"commit,omitempty"` // commit whose tree is searched
	Answers      []Answer `json:"answers"`
	Unanswerable bool     `json:"unanswerable,omitempty"` // about something that does not exist
}

// Set holds the questions about one repository. The weights of the ranking are
// chosen on the validation split; figures are reported on the test split.
type Set struct {
	Repository string     `json:"repository"` // owner/name on GitHub
	Commit     string     `json:"commit"`     // the newest commit used
	Split      string     `json:"split"`
	Questions  []Question `json:"questions"`
}

// Rank returns the rank, from 1, of the first result that answers q; 0 if none
// does. Overloads in one result share its rank.
func (q *Question) Rank(results []Answer) int {
	rank := 0
	for _, r := range results {
		if !r.Overload {
			rank++
		}
		for _, a := range q.Answers {
			if a.matches(r) {
				return rank
			}
		}
	}
	return 0
}

// FileRank returns the rank, from 1, of the first result in a file that has an answer to q, whatever
// its symbol; 0 if there is none.
func (q *Question) FileRank(results []Answer) int {
	files := Question{Answers: make([]Answer, len(q.Answers))}
	for i, a := range q.Answers {
		files.Answers[i].File = a.File
	}
	return files.Rank(results)
}

// Join adds a place to results. If one of them has its symbol in the same file, the place is added to that
// result as an overload.
func Join(results []Answer, a Answer) []Answer {
	at := slices.IndexFunc(results, func(r Answer) bool {
		return a.Symbol != "" && r.File == a.File && r.Symbol == a.Symbol
	})
	if at < 0 {
		return append(results, a)
	}
	for at++; at < len(results) && results[at].Overload; at++ {
	}
	a.Overload = true
	return slices.Insert(results, at, a)
}

// Results returns the number of results, in which overloads are one.
func Results(list []Answer) (n int) {
	for _, a := range list {
		if !a.Overload {
			n++
		}
	}
	return n
}

// matches reports whether the result r is the answer a. If a has a line or a
// symbol, r must have the same.
func (a Answer) matches(r Answer) bool {
	if a.File != r.File {
		return false
	}
	if a.Line > 0 {
		return a.Line == r.Line
	}
	return a.Symbol == "" || r.Symbol == a.Symbol || strings.HasSuffix(r.Symbol, "."+a.Symbol)
}

// ReadSets reads a list of sets.
func ReadSets(file string) ([]Set, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var sets []Set
	if err := json.Unmarshal(text, &sets); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return sets, nil
}

// WriteSets writes a list of sets, one question per line.
func WriteSets(file string, sets []Set) error {
	var out strings.Builder
	out.WriteString("[")
	for i, s := range sets {
		head, err := json.Marshal(Set{Repository: s.Repository, Commit: s.Commit, Split: s.Split,
			Questions: []Question{}})
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n" + strings.TrimSuffix(string(head), "]}"))
		for j, q := range s.Questions {
			line, err := json.Marshal(q)
			if err != nil {
				return err
			}
			if j > 0 {
				out.WriteString(",")
			}
			out.WriteString("\n " + string(line))
		}
		out.WriteString("\n]}")
	}
	out.WriteString("\n]\n")
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// asked is one line of a file of hand-written questions: the question, its repository and the
// commit.
type asked struct {
	Repo   string `json:"repo"`
	Commit string `json:"commit"`
	Question
}

// ReadAsked reads the hand-written questions. There is a file of JSON lines per
// repository: those of the test split are in dir, those of the validation split
// in dir/validation. It returns nil if dir does not exist.
func ReadAsked(dir string) ([]Set, error) {
	sets, err := readAsked(dir, Test)
	if err != nil {
		return nil, err
	}
	more, err := readAsked(filepath.Join(dir, Validation), Validation)
	return append(sets, more...), err
}

// readAsked reads the files of JSON lines in dir as sets of one split.
func readAsked(dir, split string) ([]Set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	byName := map[string]*Set{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
			var a asked
			if err := d.Decode(&a); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			s := byName[a.Repo]
			if s == nil {
				s = &Set{Repository: a.Repo, Commit: a.Commit, Split: split}
				byName[a.Repo] = s
			}
			s.Questions = append(s.Questions, Question{Query: a.Query, Answers: a.Answers,
				Unanswerable: a.Unanswerable})
		}
	}
	var sets []Set
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		sets = append(sets, *byName[name])
	}
	return sets, nil
}
