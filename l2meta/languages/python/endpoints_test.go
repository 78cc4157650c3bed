package python_test

import (
	"testing"

	"sextant/l2meta/languages"
)

// TestClientsInMidEdit extracts a file while "with Client() as c:" is being typed: a name is bound,
// but not by with.
func TestClientsInMidEdit(t *testing.T) {
	for _, bound := range []string{"x as c:", " as c:", "with as c:", "with\nas c:"} {
		text := "import requests\n" + bound + "\nc.get('http://a/b')\n"
		if _, err := languages.Extract("a.py", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
