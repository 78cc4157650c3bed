package l1fts

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
)

// Filter holds the conditions on files that do not come from the query's text.
// The zero value passes every file.
type Filter struct {
	Prefix  string       // directory or file, relative to the root, without a final '/'; "" for the root
	Dirs    []string     // directories in the form of Prefix, of which a file must be in one; none means all
	Classes []code.Class // classes, of which a file must have one; none means all
	// languages, of which a file must have one, named as in internal/lang; none means those of the
	// query's lang:
	Languages []string
}

// filter is a Filter combined with a query's conditions on files, compiled.
type filter struct {
	Filter
	// kinds is the set of kinds of symbols that pass, as bits; 0 means all.
	kinds           uint64
	paths, notPaths []*regexp.Regexp
}

// newFilter compiles f and the conditions of q. It returns an error if a path
// pattern is invalid.
func newFilter(f Filter, q Query) (*filter, error) {
	c := &filter{Filter: f}
	if len(c.Languages) == 0 {
		c.Languages = q.Langs
	}
	c.Prefix = strings.TrimSuffix(c.Prefix, "/")
	for _, k := range q.Kinds {
		c.kinds |= kindBit(k)
	}
	for _, list := range []struct {
		from []string
		to   *[]*regexp.Regexp
	}{{q.Paths, &c.paths}, {q.NotPaths, &c.notPaths}} {
		for _, p := range list.from {
			re, err := compileGlob(p)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, re)
		}
	}
	return c, nil
}

// passes reports whether a file satisfies all conditions except that on kinds of symbols.
func (c *filter) passes(path, language string, class code.Class) bool {
	if !below(path, c.Prefix) || len(c.Classes) > 0 && !slices.Contains(c.Classes, class) ||
		len(c.Languages) > 0 && !slices.Contains(c.Languages, language) {
		return false
	}
	if len(c.Dirs) > 0 && !slices.ContainsFunc(c.Dirs,
		func(d string) bool { return below(path, strings.TrimSuffix(d, "/")) }) {
		return false
	}
	matches := func(re *regexp.Regexp) bool { return re.MatchString(path) }
	if len(c.paths) > 0 && !slices.ContainsFunc(c.paths, matches) {
		return false
	}
	return !slices.ContainsFunc(c.notPaths, matches)
}

// below reports whether path is dir or below it; "." is the root, too.
func below(path, dir string) bool {
	return dir == "." || code.Within(path, dir)
}

// onPath reports whether the filter tests any property of a file except its class. The class
// alone can be tested on the row id.
func (c *filter) onPath() bool {
	return c.Prefix != "" && c.Prefix != "." || len(c.Dirs)+len(c.Languages)+len(c.paths)+len(c.notPaths) > 0 ||
		c.kinds != 0
}

// classMask returns a set of bits: bit n is set if files of class number n pass.
func (c *filter) classMask() int {
	if len(c.Classes) == 0 {
		return 1<<len(classes) - 1
	}
	mask := 0
	for _, k := range c.Classes {
		mask |= 1 << classNumber(k)
	}
	return mask
}

// pathRange returns bounds on the paths that can pass: low ≤ path < high.
func (c *filter) pathRange() (low, high string) {
	if c.Prefix == "" || c.Prefix == "." {
		return "", "\U0010ffff"
	}
	return c.Prefix + "/", c.Prefix + "0" // the character after '/' is '0'
}
