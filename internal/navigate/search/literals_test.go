package search

import (
	"slices"
	"testing"

	"sextant/l1fts"
)

func TestLiterals(t *testing.T) {
	for text, want := range map[string][]string{
		"X-Tenant-Id":                            {"X-Tenant-Id"},
		"\"orders.created\"?":                    {"orders.created"},
		"ab":                                     nil,
		"\"account is locked\"":                  {"account is locked"},
		"who says \"is locked\", and isLocked":   {"is locked", "isLocked"},
		"\"account is locked\" for":              {"account is locked"},
		"what answers GET /settings/2fa":         {"/settings/2fa"},
		"and/or either":                          nil,
		"where is ORDERS_TOPIC read":             {"ORDERS_TOPIC"},
		"how are well-known non-blocking hosts":  nil,
		"who sends x-tenant-id":                  {"x-tenant-id"},
		"what sets the utf-16 charset":           {"utf-16"},
		"parseQuery() and readFile and A_B":      {"parseQuery", "readFile"},
		"A_B_C_1 A_B_C_2 A_B_C_3 A_B_C_4 A_B_C5": {"A_B_C_1", "A_B_C_2", "A_B_C_3", "A_B_C_4"},
	} {
		query, err := l1fts.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range literals(&query) {
			got = append(got, l.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOccurrencesIn(t *testing.T) {
	text := "a listener\nspring-listen\nlisten(x)\nListen\nx listener listen\nÄlisten\nlisten"
	fits := []fit{inWord, inName, whole, wholeFold, whole, inWord, whole} // line by line
	for _, end := range []string{"", "\n"} {                              // a last line break opens no line
		var want []occurrence
		for i, f := range fits {
			want = append(want, occurrence{line: i + 1, last: len(fits), fit: f})
		}
		word := foldWord("listen")
		if got := occurrencesIn([]byte(text+end), &word, "listen"); !slices.Equal(got, want) {
			t.Errorf("with %q behind it: got %+v, want %+v", end, got, want)
		}
	}
}
