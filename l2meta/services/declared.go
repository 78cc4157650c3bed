package services

import (
	"strings"

	"sextant/internal/code"
)

// ReaderOf returns a reader of a file's expressions, without rules for the libraries of the file's language.
func ReaderOf(f *code.File) *Reader {
	return newReader(f, &Idioms{})
}

// Arguments returns the name of a called function and its arguments as a fact records them, separated by tabs, whatever
// they are: "Trail\t{producer}\taudit" for new Trail(producer, "audit").
func Arguments(r *Reader, c *code.Call) string {
	pr := &passReader{r}
	parts := []string{c.Callee}
	for _, a := range r.Arguments(c) {
		_, text := pr.passed(a, c.NameSpan.StartByte, !strings.HasPrefix(a, "{"))
		parts = append(parts, text)
	}
	return strings.Join(parts, "\t")
}
