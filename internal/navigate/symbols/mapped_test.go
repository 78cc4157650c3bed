package symbols

import (
	"slices"
	"testing"

	"sextant/internal/code"
)

// TestMappedKinds checks that the rows that a map reads are all that mainSymbols looks for.
func TestMappedKinds(t *testing.T) {
	for _, k := range []code.Kind{code.KindFile, code.KindModule, code.KindNamespace, code.KindClass, code.KindInterface,
		code.KindStruct, code.KindType, code.KindEnum, code.KindTrait, code.KindMacro, code.KindFunction, code.KindMethod,
		code.KindConstructor, code.KindField, code.KindProperty, code.KindConstant, code.KindVariable, code.KindComponent,
		code.KindHook, code.KindConfig, code.KindTest, code.KindRoute, code.KindRPC, code.KindMessage} {
		want := IsType(k) || k.Callable() || k == code.KindModule || k == code.KindNamespace
		if got := slices.Contains(mappedKinds, k); got != want {
			t.Errorf("%s: read %v, looked for %v", k, got, want)
		}
	}
}
