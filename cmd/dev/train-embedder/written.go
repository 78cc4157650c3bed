package main

import (
	"fmt"

	"sextant/cmd/dev/internal/quality"
)

// readQuestions returns a pair for each question in file, with the function in train that the
// question is about. It drops a question if the function no longer exists, or exists in another
// source too.
func readQuestions(file string, list []quality.Source, train []pair) ([]pair, error) {
	type key struct{ repository, path, name string }
	functions := map[key]*pair{}
	for i := range train {
		p := &train[i]
		functions[key{p.repository, p.Path, p.Name}] = p
	}
	trained := map[string]bool{}
	for _, s := range list {
		trained[s.Repository] = s.Split == quality.Train
	}
	lines, err := quality.ReadColumns(file, 4)
	var asked []pair
	for _, l := range lines {
		if !trained[l[0]] {
			return nil, fmt.Errorf("%s: %s is not trained on; only functions of the train split may be asked for",
				file, l[0])
		}
		if p := functions[key{l[0], l[1], l[2]}]; p != nil {
			q := *p
			q.Sentence, q.Paragraph = l[3], ""
			asked = append(asked, q)
		}
	}
	return asked, err
}

// readGlossary returns a pair for each word in file: its explanation is the query, and the
// document has only the word, as its name.
func readGlossary(file string) ([]pair, error) {
	lines, err := quality.ReadColumns(file, 2)
	var explained []pair
	for _, l := range lines {
		explained = append(explained, pair{Name: l[0], Sentence: l[1]})
	}
	return explained, err
}
