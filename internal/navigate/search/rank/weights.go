package rank

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"sextant/internal/code"
)

// Model holds all numbers of the ranking. Each part names its source: the questions that it was
// fitted on, or the reason for a choice by hand.
type Model struct {
	Kinds   map[Kind]*Fitted `json:"kinds"`
	Classes Classes          `json:"classes"`
	Factors Factors          `json:"factors"`
	Pool    Pool             `json:"pool"`
}

// Fitted holds the weights of one kind of query.
type Fitted struct {
	Source  string  `json:"source"`
	Weights Weights `json:"weights"`
}

// Weights holds the factor for each feature; most features are from 0 to 1.
type Weights struct {
	Words    float64 `json:"words,omitempty"`    // BM25 score of the best chunk, divided by the highest of all candidates
	WordRank float64 `json:"wordRank,omitempty"` // rank of the best chunk by BM25
	Parts    float64 `json:"parts,omitempty"`    // BM25 score of each further chunk, if results are files
	// FileWords and FileMeaning weigh the best matches by words and by meaning in the candidate's file.
	FileWords   float64 `json:"fileWords,omitempty"`
	Meaning     float64 `json:"meaning,omitempty"` // cosine between query and candidate
	FileMeaning float64 `json:"fileMeaning,omitempty"`
	// Ranks weighs the rank of the candidate by meaning, with embedders whose cosines are not
	// comparable. It is not fitted.
	Ranks   float64 `json:"ranks,omitempty"`
	Covered float64 `json:"covered,omitempty"` // share of the query's terms in the candidate, weighted by rarity
	Held    float64 `json:"held,omitempty"`    // match with the query's words, including synonyms
	Length  float64 `json:"length,omitempty"`  // logarithm of its bytes; a longer text contains more of any words
	// Line weighs the greatest share of the terms in one line, cubed: a comment may say exactly the
	// query.
	Line  float64 `json:"line,omitempty"`
	Size  float64 `json:"size,omitempty"`  // length of the function
	Busy  float64 `json:"busy,omitempty"`  // calls in the function
	Name  float64 `json:"name,omitempty"`  // share of the query's terms in its name
	Path  float64 `json:"path,omitempty"`  // share of the query's terms in its path
	Named float64 `json:"named,omitempty"` // exactness of a symbol name in a query of prose
	// Exported, Unowned and Test are each added to 1. The sums are the factors for exported
	// symbols, text outside of symbols, and tests.
	Exported float64 `json:"exported,omitempty"`
	Unowned  float64 `json:"unowned,omitempty"`
	Test     float64 `json:"test,omitempty"`
}

// Classes holds the factor for each class of file. It lowers classes that users seldom search for:
// tests contain the words of the tested code, in names that read like questions.
type Classes struct {
	Source  string                 `json:"source"`
	Factors map[code.Class]float64 `json:"factors"`
}

// Factors holds the numbers that all kinds of query share.
type Factors struct {
	Source string `json:"source"`
	Values struct {
		// NamedFirst is the boost for a symbol that a word of a short query names, above all that
		// words and meaning find. It is scaled by the exactness and by the word's share of the query.
		NamedFirst float64 `json:"namedFirst"`
		// NamedHidden is the factor for the boost of a name, such as NamedFirst, in a file outside of the
		// scope.
		NamedHidden float64 `json:"namedHidden"`
		// Changed is the factor for files that git reports as changed. It ranks them above equally good
		// files, but not above better ones.
		Changed float64 `json:"changed"`
		// Showing is the factor for examples and benchmarks, whose names describe the code that they call.
		Showing float64 `json:"showing"`
		// Migrates is the factor for database migrations, and for indexes and the like, which repeat the names of
		// tables and columns.
		Migrates float64 `json:"migrates"`
		// Component is the factor for components of user interfaces in a query of prose: their markup
		// repeats words that describe other code.
		Component float64 `json:"component"`
		// Presents is the factor for what else a file of a user interface holds, in a query of prose: handlers
		// and style rules repeat the words of what they show, and other code does it.
		Presents float64 `json:"presents"`
		// Constructor is the factor for constructors in a query of prose. They list what the methods work with.
		Constructor float64 `json:"constructor"`
		// ProseType is the factor for types and for text outside of symbols in a query of prose.
		ProseType float64 `json:"proseType"`
		// Value is the factor for fields, variables, constants and properties; OtherKind is the factor for
		// symbols that are neither these nor callable nor types.
		Value     float64 `json:"value"`
		OtherKind float64 `json:"otherKind"`
		// Bodyless is subtracted for a callable of one line: a declaration, or a function that only
		// forwards.
		Bodyless float64 `json:"bodyless"`
	} `json:"values"`
}

// Pool holds numbers that package search uses before the ranking: to add candidates that the
// index did not find, such as other symbols of a good candidate's name, and to set their
// features.
type Pool struct {
	Source string `json:"source"`
	Values struct {
		// Kinship is the part of a good candidate's scores that a related symbol gets, such as another
		// symbol of the same name.
		Kinship float64 `json:"kinship"`
		// Declared is the least share of the query's terms in a declaration for it to be the result instead
		// of the window of lines around it.
		Declared float64 `json:"declared"`
	} `json:"values"`
}

//go:embed weights.json
var weightsText []byte

// Current is the model that searches use. It is read from weights.json, which the command "quality fit"
// writes.
var Current = mustRead(weightsText)

func mustRead(text []byte) *Model {
	m, err := Read(text)
	if err != nil {
		panic(err)
	}
	return m
}

// Read parses a model. It returns an error for an unknown field, a missing kind of query, or a
// missing factor, because a factor of 0 would make every score 0.
func Read(text []byte) (*Model, error) {
	m := new(Model)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	for k := range Kind(len(kindNames)) {
		if m.Kinds[k] == nil {
			return nil, fmt.Errorf("weights: none for the kind %s", k)
		}
	}
	for _, numbers := range []reflect.Value{reflect.ValueOf(m.Factors.Values), reflect.ValueOf(m.Pool.Values)} {
		for i := range numbers.NumField() {
			if numbers.Field(i).IsZero() {
				return nil, fmt.Errorf("weights: no factor %s", numbers.Type().Field(i).Tag.Get("json"))
			}
		}
	}
	return m, nil
}

// kindNames holds the name of each kind in a file of weights.
var kindNames = [...]string{Words: "words", Names: "names", Few: "few", Ask: "ask",
	Sentence: "sentence", Files: "files"}

func (k Kind) String() string { return kindNames[k] }

// MarshalText returns the name of k.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets k to the kind of a name. It returns an error for an unknown name.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("no kind of query is called %q", text)
	}
	*k = Kind(i)
	return nil
}
