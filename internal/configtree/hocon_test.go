package configtree

import "testing"

func TestHOCON(t *testing.T) {
	n := HOCON("include \"shared.conf\"\n// addresses\nktor {\n" +
		"  deployment { port = 8084, port = ${?PORT} } # of Ktor\n}\n" +
		"api.base = \"http://api:8080\"\napi {\n  events: ${api.base}\"/events\"\n  \"quoted\" { a = 1 }\n}\nlast = \"x\"\n")
	for _, want := range []struct {
		value string
		keys  []string
	}{
		{"8084", []string{"ktor", "deployment", "port"}},
		{"http://api:8080", []string{"api", "base"}},
		{"${api.base}/events", []string{"api", "events"}},
		{"1", []string{"api", "quoted", "a"}},
		{"x", []string{"last"}},
	} {
		if got := n.Text(want.keys...); got != want.value {
			t.Errorf("%v is %q, want %q", want.keys, got, want.value)
		}
	}
	if at := n.At("api", "events"); at == nil || at.Line != 8 {
		t.Errorf("api.events is at %+v, want line 8", at)
	}
}
