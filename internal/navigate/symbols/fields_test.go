package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestFieldsWithCodeAreListed checks that the outline of a file with many symbols counts its fields and
// lists the properties that run code.
func TestFieldsWithCodeAreListed(t *testing.T) {
	var text strings.Builder
	text.WriteString("class App:\n    debug_default = False\n\n")
	text.WriteString("    @property\n    def debug(self):\n        return self.config[\"DEBUG\"]\n\n")
	text.WriteString("    @debug.setter\n    def debug(self, value):\n        self.config[\"DEBUG\"] = value\n\n")
	for i := range 50 {
		fmt.Fprintf(&text, "    def step%d(self):\n        return %d\n\n", i, i)
	}
	b := navigatetest.Of(t, map[string]string{"app.py": text.String()})
	a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "app.py",
		Delivery: contract.Delivery{Format: contract.FormatText}}))
	if err != nil {
		t.Fatal(err)
	}
	properties, fields := 0, 0
	for _, s := range a.Outline.Symbols {
		switch s.Name {
		case "debug":
			properties++
		case "debug_default":
			fields++
		}
	}
	if properties != 2 || fields != 0 || a.Fields != 1 {
		t.Errorf("%d of 2 properties and %d fields are listed, and %d fields counted; want 2, 0 and 1",
			properties, fields, a.Fields)
	}
}
