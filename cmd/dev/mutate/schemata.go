package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Environment variables of an instrumented test binary.
const (
	mutantVariable = "SEXTANT_MUTANT"  // variable with the number of the mutation that is active
	hitsVariable   = "SEXTANT_MUTANTS" // variable with the file that lists the mutations whose statement has run
)

// schemata writes copies of files to dir that contain all the mutations, and
// overlay.json, which makes the go command read them in place of the originals.
// It returns the path of overlay.json. Mutation i of a function is a copy of its
// body that runs if SEXTANT_MUTANT is i:
//
//	func less(a, b int) bool {
//		switch mutant_now { case 7: return func() bool { return a <= b }() }
//		mutant_hit(7); return a < b
//	}
//
// A compiler message about the copy of mutation 7 has the file name mutant_7,
// which the line comment in the copy sets.
func schemata(dir string, sites []site) (string, error) {
	replace := map[string]string{}
	add := func(file, text string) error {
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		return os.WriteFile(replace[file], []byte(text), 0o600)
	}
	inFile := map[string][]int{}
	for i := range sites {
		inFile[sites[i].file] = append(inFile[sites[i].file], i)
	}
	for file, list := range inFile {
		text, err := instrumented(file, sites, list)
		if err != nil {
			return "", err
		}
		if err := add(file, text); err != nil {
			return "", err
		}
		switches := filepath.Join(filepath.Dir(file), "mutants_switched.go")
		if replace[switches] != "" {
			continue
		}
		if err := add(switches, fmt.Sprintf(switchesText, sites[list[0]].pkg, mutantVariable, hitsVariable,
			len(sites))); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// switchesText is the source of a file that is added to every instrumented package. It reads
// which mutation is active, and records the mutations whose statements run.
const switchesText = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var mutant_now = mutant_number()
var mutant_file = mutant_open()
var mutant_seen [%[4]d]atomic.Bool

func mutant_number() int {
	n, err := strconv.Atoi(os.Getenv("%[2]s"))
	if err != nil {
		return -1
	}
	return n
}

func mutant_open() *os.File {
	f, err := os.OpenFile(os.Getenv("%[3]s"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	return f
}

func mutant_hit(i int) {
	if mutant_file != nil && !mutant_seen[i].Swap(true) {
		mutant_file.WriteString(strconv.Itoa(i) + "\n")
	}
}
`

// insertion is text to be inserted into a file at a byte offset.
type insertion struct {
	at   int
	text string
}

// instrumented returns the text of a file with some mutations in it. list holds their indexes in
// sites.
func instrumented(file string, sites []site, list []int) (string, error) {
	read, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	text := string(read)
	var add []insertion
	inBody := map[int][]int{}
	for _, i := range list {
		s := &sites[i]
		if text[s.start:s.end] != s.was {
			return "", fmt.Errorf("%s changed meanwhile", file)
		}
		inBody[s.body] = append(inBody[s.body], i)
		add = append(add, insertion{s.statement, fmt.Sprintf("mutant_hit(%d); ", i)})
	}
	for body, list := range inBody {
		var w strings.Builder
		w.WriteString(" switch mutant_now {")
		for _, i := range list {
			w.WriteString(" case " + sites[i].copyOf(text, i) + ";")
		}
		line := 1 + strings.Count(text[:body+1], "\n")
		fmt.Fprintf(&w, " };/*line %s:%d:1*/", file, line)
		add = append(add, insertion{body + 1, w.String()})
	}
	slices.SortStableFunc(add, func(a, b insertion) int { return cmp.Compare(b.at, a.at) })
	for _, a := range add {
		text = text[:a.at] + a.text + text[a.at:]
	}
	return text, nil
}

// copyOf returns the case clause for mutation i: its number, and the function's
// body with the mutation, as a function literal that is called at once.
func (s *site) copyOf(text string, i int) string {
	mutated := text[s.body:s.start] + s.now + text[s.end:s.bodyEnd]
	call := fmt.Sprintf("func() %s /*line mutant_%d:1:1*/%s()", s.results, i, mutated)
	if s.results == "" {
		return fmt.Sprintf("%d: %s; return", i, call)
	}
	return fmt.Sprintf("%d: return %s", i, call)
}
