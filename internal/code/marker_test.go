package code_test

import (
	"testing"

	"sextant/internal/code"
)

func TestMarkersRoundTrip(t *testing.T) {
	for _, c := range []struct {
		m    code.Marker
		text string
	}{
		{code.MarkEach, "rows#each"}, {code.MarkKey, "rows#key"}, {code.MarkWith, "rows#with"},
		{code.MarkExcept, "rows#except"},
		{code.MarkBy, "rows#by"}, {code.MarkSome, "rows#some"}, {code.MarkOk, "rows#ok"}, {code.MarkErr, "rows#err"},
		{code.PartMarker(12), "rows#12"}, {code.OutMarker(1), "rows#out1"}, {code.InMarker(1, 20), "rows#in1x20"},
	} {
		if text := c.m.After("rows"); text != c.text {
			t.Errorf("the text is %q, want %q", text, c.text)
		}
		if value, m, ok := code.CutMarker(c.text); value != "rows" || m != c.m || !ok {
			t.Errorf("%q: got %q, %q, %v", c.text, value, m, ok)
		}
		part, isPart := c.m.Part()
		out, isOut := c.m.Out()
		i, k, isIn := c.m.In()
		if isPart != (c.text == "rows#12") || isPart && part != 12 || isOut != (c.text == "rows#out1") ||
			isOut && out != 1 ||
			isIn != (c.text == "rows#in1x20") || isIn && (i != 1 || k != 20) {
			t.Errorf("%q: part %d %v, out %d %v, in %d %d %v", c.text, part, isPart, out, isOut, i, k, isIn)
		}
	}
	if value, m, _ := code.CutMarker(code.PartMarker(0).After(code.MarkEach.After("rows"))); value !=
		"rows#each" || m != "0" {
		t.Errorf("the last marker is %q after %q", m, value)
	}
	for _, text := range []string{"", "rows", "#each", "rows#", "this.#each", `"#fff"`, "a#B", "#each(rows)", "f#-1"} {
		if value, m, ok := code.CutMarker(text); ok || value != text || m != "" {
			t.Errorf("%q ends in no marker: got %q, %q", text, value, m)
		}
	}
}

func TestLiteralParametersRoundTrip(t *testing.T) {
	for text, want := range map[string]string{"?#p0q1": "1", "?#p99qthis": "this"} {
		argument, parameter, ok := code.CutLiteralParameter(text)
		if again := code.LiteralParameter(argument, parameter); !ok || parameter != want || again != text ||
			!code.IsLiteralParameter(text) {
			t.Errorf("%q: got %d, %q, %v, again %q", text, argument, parameter, ok, again)
		}
	}
	for _, text := range []string{"", "?", "?#0", "?#pq1", "?#p1", "x#p0q1"} {
		if _, _, ok := code.CutLiteralParameter(text); ok {
			t.Errorf("%q is no parameter of a function literal", text)
		}
	}
	part := code.PartMarker(2).After(code.LiteralParameter(0, "1"))
	if value, m, _ := code.CutMarker(part); value != "?#p0q1" || m != "2" || !code.IsLiteralParameter(part) {
		t.Errorf("%q: got %q, %q", part, value, m)
	}
}

func TestFormsRoundTrip(t *testing.T) {
	for text, form := range map[string]code.Form{
		"#arg(run, 1)": code.FormArgument, "#param(run, 1)": code.FormParameter, "#each(run, 1)": code.FormEach,
	} {
		if got := form.Of("run", "1"); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		if got, ok := code.FormOf(text[:len(text)-len("(run, 1)")]); got != form || !ok {
			t.Errorf("%q: got %q, %v", text, got, ok)
		}
	}
	for _, name := range []string{"", "arg", "#run"} {
		if f, ok := code.FormOf(name); ok {
			t.Errorf("%q is no form: got %q", name, f)
		}
	}
}

func TestPlacesRoundTrip(t *testing.T) {
	for text, p := range map[string]code.Place{"struct ops#1": code.PlaceAt(1),
		"struct ops#=done": code.PlaceNamed("done")} {
		if got := p.Of("struct ops"); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		if of, got, ok := code.CutPlace(text); of != "struct ops" || got != p || !ok {
			t.Errorf("%q: got %q, %q, %v", text, of, got, ok)
		}
	}
	if i, ok := code.PlaceAt(1).Index(); i != 1 || !ok {
		t.Errorf("index %d, %v", i, ok)
	}
	if name, ok := code.PlaceNamed("done").Name(); name != "done" || !ok {
		t.Errorf("name %q, %v", name, ok)
	}
	_, named := code.PlaceAt(1).Name()
	if _, ok := code.PlaceNamed("1").Index(); ok || named {
		t.Error("a place is by position and by name")
	}
	for _, name := range []string{"", "s.done", "#0", "Job#", "Job#run", "#arg(Row, 0).onPick"} {
		if of, p, ok := code.CutPlace(name); ok || of != name || p != "" {
			t.Errorf("%q has no place: got %q, %q", name, of, p)
		}
	}
}

func TestParameterListsRoundTrip(t *testing.T) {
	for _, text := range []string{"", "0", "2 i1", "i12", "1 0 3"} {
		if got := code.ParameterLists(code.CutParameterLists(text)); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
	if lists := code.CutParameterLists("2 i1"); len(lists) != 2 || lists[0] != (code.ParameterList{Count: 2}) ||
		lists[1] != (code.ParameterList{Count: 1, Implicit: true}) {
		t.Errorf("got %v", lists)
	}
}
