package l2meta_test

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
)

func TestLastStep(t *testing.T) {
	for path, want := range map[string]string{
		"/orders":                           "orders",
		"/Orders/{id}":                      "orders",
		"{env:ORDERS}/v1/items/{id}/?all=1": "items",
		"http://orders:80/v1/items{query}":  "items",
		"{base/x}":                          "",
		"orders":                            "",
		"":                                  "",
		"/a/{b/c}/d#e":                      "d",
	} {
		if got := l2meta.LastStep(path); got != want {
			t.Errorf("LastStep(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestPassedSteps(t *testing.T) {
	fact := code.Fact{Type: "send\t{url=/orders/{id}\x1fmethod=GET\t/items?a=b\tname"}
	if got, want := l2meta.PassedSteps(&fact), []string{"orders", "items"}; !slices.Equal(got, want) {
		t.Errorf("PassedSteps = %q, want %q", got, want)
	}
}
