package contract

import "testing"

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]FilePlace{
		"a/b.go:7": {"a/b.go", 7, 7}, "b.go:7-9": {"b.go", 7, 9}, "b.go:7-": {"b.go", 7, 0}, "b.go:7:3": {"b.go", 7, 7},
		"b.go#L7": {"b.go", 7, 7}, "b.go#L7-L9": {"b.go", 7, 9}, "b.go#L7-9": {"b.go", 7, 9}, "b.go:L7": {"b.go", 7, 7},
		"b.go#L7C2-L9C1": {"b.go", 7, 9}, "a:b.go:7": {"a:b.go", 7, 7}, "b.go:500-600": {"b.go", 500, 600},
	} {
		if got, ok := ParsePlace(text); !ok || got != want {
			t.Errorf("%q: %+v, %t; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"b.go", "b.go:f", "T#m", "publish/7", ":7", "b.go:", "b.go-7", "GET /a/{id}",
		"b.go:7x"} {
		if got, ok := ParsePlace(text); ok {
			t.Errorf("%q: %+v, want none", text, got)
		}
	}
}
