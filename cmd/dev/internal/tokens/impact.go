package tokens

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Commit is a commit that changes both code and tests.
type Commit struct {
	Repository string   `json:"repository"`
	Commit     string   `json:"commit"`
	Parent     string   `json:"parent"`
	Code       []string `json:"code"`  // changed files that are not tests
	Tests      []string `json:"tests"` // changed tests that existed before the change
}

// Impacted holds the counts of test files that an answer named for a commit.
type Impacted struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Tests      int    `json:"tests"`
	Found      int    `json:"found"` // number of Tests that the answer named
	Named      int    `json:"named"`
	Tokens     int    `json:"tokens"`
	NearFound  int    `json:"near_found"` // among the tests in the folders of the code
	NearNamed  int    `json:"near_named"`
}

// Near returns the tests among files that are in the folders of a commit's changed code, or in the
// test folders that correspond to these, such as src/test for src/main and a/__tests__ for a.
func (c *Commit) Near(files []string) (out []string) {
	folders := map[string]bool{}
	for _, f := range c.Code {
		folders[path.Dir(f)] = true
		folders[path.Dir(strings.Replace(f, "/main/", "/test/", 1))] = true
		folders[path.Join(path.Dir(f), "__tests__")] = true
	}
	for _, f := range files {
		if IsTest(f) && folders[path.Dir(f)] {
			out = append(out, f)
		}
	}
	return out
}

// Judge counts how many of the tests that a commit changed are in named, the tests that an answer
// named, and how many are in near, the tests in the folders of the code. cost is the tokens of the
// answer.
func (c *Commit) Judge(named, near []string, cost int) Impacted {
	out := Impacted{Repository: c.Repository, Commit: c.Commit, Tests: len(c.Tests), Named: len(named), Tokens: cost,
		NearNamed: len(near)}
	for _, t := range c.Tests {
		if slices.Contains(named, t) {
			out.Found++
		}
		if slices.Contains(near, t) {
			out.NearFound++
		}
	}
	return out
}

var pathLike = regexp.MustCompile(`[^\s"'(),;:]+`)

// TestsIn returns the test files that a text names.
func TestsIn(text string, known func(path string) bool) (out []string) {
	for _, word := range pathLike.FindAllString(text, -1) {
		if IsTest(word) && known(word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// PrintImpact writes a Markdown table with the figures of commits, summed by repository.
func PrintImpact(out io.Writer, rows []Impacted) {
	fmt.Fprint(out,
		"| repository | commits | test files | named | all of a commit | files named, p50 | tokens, p50 | p95 | "+
			"same folder: found | files, p50 |\n"+
			"|---|---|---|---|---|---|---|---|---|---|\n")
	var names []string
	for _, r := range rows {
		if !slices.Contains(names, r.Repository) {
			names = append(names, r.Repository)
		}
	}
	for _, name := range append(names, "**all**") {
		var tests, found, whole, near int
		var named, cost, nearNamed []int
		for _, r := range rows {
			if r.Repository != name && name != "**all**" {
				continue
			}
			tests, found, near = tests+r.Tests, found+r.Found, near+r.NearFound
			if r.Found == r.Tests {
				whole++
			}
			named, cost, nearNamed = append(named, r.Named), append(cost, r.Tokens), append(nearNamed, r.NearNamed)
		}
		if len(named) == 0 {
			continue
		}
		share := func(n, of int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of)) }
		fmt.Fprintf(out, "| %s | %d | %d | %s | %s | %d | %d | %d | %s | %d |\n", name, len(named), tests,
			share(found, tests),
			share(whole, len(named)), quantile(named, .5), quantile(cost, .5), quantile(cost, .95), share(near, tests),
			quantile(nearNamed, .5))
	}
	fmt.Fprintln(out)
}

// quantile sorts all and returns the value below which the given share of them
// lies.
func quantile(all []int, share float64) int {
	slices.Sort(all)
	return all[int(share*float64(len(all)-1)+0.5)]
}
