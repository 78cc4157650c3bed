package main

import (
	"fmt"
	"os"
	"strings"
)

// readQuestions are pairs of what file says is asked for a function, in the order of
// the file, and the function, of those that are trained on. Where several of a file
// bear the name, the first is meant.
func readQuestions(file string, train []pair) ([]pair, error) {
	type key struct{ repository, path, name string }
	functions := map[key]*pair{}
	for i := range train {
		p := &train[i]
		if k := (key{p.repository, p.Path, p.Name}); functions[k] == nil {
			functions[k] = p
		}
	}
	var asked []pair
	err := eachLine(file, 4, func(f []string) {
		if p := functions[key{f[0], f[1], f[2]}]; p != nil {
			q := *p
			q.Sentence, q.Paragraph = f[3], ""
			asked = append(asked, q)
		}
	})
	return asked, err
}

// readGlossary are pairs of what file says that a word or phrase means, and a
// function of that name of which nothing else is known.
func readGlossary(file string) ([]pair, error) {
	var explained []pair
	err := eachLine(file, 2, func(f []string) {
		explained = append(explained, pair{Name: f[0], Sentence: f[1]})
	})
	return explained, err
}

// eachLine gives the columns of each line of a file of so many, but of comments.
func eachLine(file string, columns int, line func([]string)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	n := 0
	for l := range strings.Lines(string(text)) {
		n++
		if strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
		if len(f) != columns {
			return fmt.Errorf("%s:%d: %d columns; expected %d, with tabs between them", file, n, len(f), columns)
		}
		line(f)
	}
	return nil
}
