package symbols_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestPresetsThatAreIgnored checks that an answer says that it does not have what a preset asks for.
func TestPresetsThatAreIgnored(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc F() { g() }\n\nfunc g() {}\n"})
	for preset, want := range map[contract.Preset]bool{"": false, contract.PresetDefinition: false,
		contract.PresetImplementation: true, contract.PresetCallContext: true} {
		a, err := b.Service.Read(t.Context(), navigatetest.Normal(t, contract.ReadRequest{Path: b.Dir,
			OpenSymbol: &contract.OpenSymbol{SymbolLabel: "F", ContractVersion: 2,
				Context: &contract.SymbolContext{Preset: preset}}}))
		if err != nil || a.Status != contract.StatusOK {
			t.Fatalf("%q: %+v, %v", preset, a, err)
		}
		got := slices.ContainsFunc(a.Warnings, func(w contract.Warning) bool { return w.Code == "PRESET_IGNORED" })
		if got != want {
			t.Errorf("%q: warnings %+v, want one: %v", preset, a.Warnings, want)
		}
	}
}
