package resolve

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/mapped"
	"sextant/internal/store"
	"sextant/l2meta"
)

// written returns a ledger over files of a language "x", and these files. Each line is "PATH:
// CALLEE=OUTCOME …"; an outcome is open, out (External), value (FuncValue), none (NoCall), or the
// number of the file whose symbol 0 is the callee.
func written(t *testing.T, lines ...string) (*ledger, []*File) {
	t.Helper()
	l := &ledger{contents: newContents(nil), languages: Languages{}}
	l.generation = 1
	var files []*File
	var calls [][]string
	for i, line := range lines {
		path, list, _ := strings.Cut(line, ":")
		f := newFile(store.FileRef{ID: int64(i + 100), Path: path, Language: "x"}, l2meta.Facts{
			Symbols: []code.Symbol{{Kind: code.KindFunction, Name: "f", QualifiedName: "f", Parent: -1}}})
		files, calls = append(files, f), append(calls, strings.Fields(list))
		g := &group{number: int64(i + 1)}
		l.groups = append(l.groups, g)
		l.add(store.FileRef{ID: f.ID, Path: path, Language: "x", Class: code.ClassSource, Hash: code.Hash{byte(i)}}, g)
		f.Hash = code.Hash{byte(i)}
	}
	for i, f := range files {
		var sites []code.Call
		var verdicts []Verdict
		for n, text := range calls[i] {
			name, outcome, _ := strings.Cut(text, "=")
			sites = append(sites, code.Call{Callee: name, NameSpan: code.Span{StartByte: 10 * n, StartLine: n + 1}})
			v := Unresolved("not known")
			switch outcome {
			case "open":
			case "out":
				v = ExternalTo("lib")
			case "value":
				v = ThroughValue("a parameter")
			case "none":
				v = Verdict{Outcome: NoCall, Reason: "an annotation"}
			default:
				var to int
				fmt.Sscan(outcome, &to)
				v = Resolved(files[to].Ref(0), Imported, "an import")
			}
			verdicts = append(verdicts, v)
		}
		f.calls.make = func() *fileCalls { return f.orderedCalls(sites) }
		l.enter(l.files[i], f, verdicts)
		l.groups[i].calls = part{newLeafSet([]leaf{1, 5, leaf(i + 9)}), true}
		l.groups[i].dispatch, l.groups[i].receivers = part{settled: true}, part{newLeafSet([]leaf{leaf(i)}), true}
	}
	l.order = l.inOrder()
	l.finish()
	return l, files
}

func belowOf(lists map[int32][]target) (b below) {
	for _, symbol := range slices.Sorted(maps.Keys(lists)) {
		b.add(symbol, lists[symbol])
	}
	return b
}

// asked formats the sites in in: "PATH CALL" of each caller, then "|", then the same of each open
// call.
func asked(in Inbound) string {
	var out []string
	for _, s := range in.Callers {
		out = append(out, fmt.Sprintf("%s %d", s.File.Path, s.Call))
	}
	out = append(out, "|")
	for _, s := range in.Open {
		out = append(out, fmt.Sprintf("%s %d", s.File.Path, s.Call))
	}
	return strings.Join(out, ", ")
}

// TestCallersInTheLedger checks which calls are listed, that those in the nearest files come first,
// and how many files are searched.
func TestCallersInTheLedger(t *testing.T) {
	l, files := written(t, "a/b/own.x: f=0", "a/b/z.x: f=0 g=1", "a/c/y.x: f=0 f=open", "b/x.x: f=0",
		"a/b/d/w.x: F=open f=1",
		"a/v.x: f=out f=none f=value", "a/b/a.x: f=0", "a/b.x: f=0")
	for _, c := range []struct {
		most, files, read int
		names             []string
		want              string
	}{
		{100, 8, 8, []string{"f"},
			"a/b/own.x 0, a/b/a.x 0, a/b/z.x 0, a/b.x 0, a/c/y.x 0, b/x.x 0, |, a/c/y.x 1, a/v.x 2"},
		{3, 8, 3, []string{"f"}, "a/b/own.x 0, a/b/a.x 0, |"},
		{1, 8, 1, []string{"f"}, "a/b/own.x 0, |"},
		{100, 8, 8, []string{"f", "F", "f"}, "a/b/own.x 0, a/b/a.x 0, a/b/z.x 0, a/b.x 0, a/c/y.x 0, b/x.x 0, |, " +
			"a/b/d/w.x 0, a/c/y.x 1, a/v.x 2"},
		{100, 1, 1, []string{"g"}, "|"},
		{100, 0, 0, []string{"none"}, "|"},
	} {
		in, ok := l.callers(1, files[0].Ref(0), c.names, c.most)
		if got := asked(in); !ok || got != c.want || in.Files != c.files || in.Read != c.read {
			t.Errorf("%v in %d files: %s; %d of %d files\nwant %s; %d of %d", c.names, c.most, got, in.Read,
				in.Files, c.want,
				c.read, c.files)
		}
	}
	if _, ok := l.callers(2, files[0].Ref(0), []string{"f"}, 100); ok {
		t.Error("the ledger serves another generation")
	}
	l.complete = false
	if _, ok := l.callers(1, files[0].Ref(0), []string{"f"}, 100); ok {
		t.Error("a ledger that is not complete serves")
	}
}

// TestVerdictsInTheLedger checks that each verdict is returned as it was stored, but only for the
// version of the file for which it was computed.
func TestVerdictsInTheLedger(t *testing.T) {
	l, files := written(t, "a.x: f=1 g=open h=out i=value j=none", "b.x:")
	w := toyWorld(t.Context(), toy{})
	for i, f := range files {
		k := w.snap.at(store.FileRef{ID: f.ID, Path: f.Path})
		files[i] = k.put(f)
	}
	f := files[0]
	f.Facts = l2meta.Facts{Symbols: f.Facts.Symbols}
	for i, want := range []Verdict{Resolved(files[1].Ref(0), Imported, "an import"), Unresolved("not known"),
		ExternalTo("lib"),
		ThroughValue("a parameter"), {Outcome: NoCall, Reason: "an annotation"}} {
		l.files[0].sites.of = l.files[0].sites.of[:5]
		if e, ok := l.at(1, f); ok != (f.Sites() == 5) || ok && e != l.files[0] {
			t.Errorf("call %d: %v", i, ok)
		}
		r := l.files[0].sites.at(i)
		if r.outcome != want.Outcome || l.texts.at(r.text) != want.Provenance+want.Reason+want.Module {
			t.Errorf("call %d is %+v, want %+v", i, r, want)
		}
	}
	if _, ok := l.verdict(w, f, 9); ok {
		t.Error("a call that the ledger does not hold has a verdict")
	}
}

// TestLedgerIsPackedWhole checks that a ledger is the same after it was packed and unpacked, and
// that a missing file or a truncated part is noticed.
func TestLedgerIsPackedWhole(t *testing.T) {
	l, _ := written(t, "a.x: f=1 g=open f=0", "b/b.x: h=out i=value", "b/c.x: j=none f=2")
	l.ranges[rangeKey{"low", "high"}] = true
	e := l.files[0]
	e.sites.at(0).flags, l.files[1].sites.at(0).flags = flagDirect|flagReceiver, flagUndeclared
	e.sites.at(0).receiver, e.sites.at(2).receiver, e.sites.at(2).flags = target{2, 0}, target{1, 0}, flagReceiver
	e.imports = []brought{{1, 3}, {2, 0}}
	e.implementations, e.aside = belowOf(map[int32][]target{0: {{1, 0}, {2, 0}}, -1: nil}), []int32{0}
	e.gives, e.renames = newGivenList([]given{{5, 1}, {9, 7}}), []string{"f"}
	l.renaming["f"] = []rename{{100, []string{"x", "y"}}}
	key := receiving{target{1, 0}, target{2, 0}}
	l.admitted[key] = admission{[]target{{0, 0}}, 2}
	l.groups[0].received, l.groups[2].received = []receiving{key}, []receiving{key}

	found := newContents(nil)
	u := &ledgerReader{&found, l.languages}
	if err := u.takeRanges(l.packRanges()); err != nil {
		t.Fatal(err)
	}
	for i, g := range l.groups {
		if u.whole() != (i == 0) && i > 0 && i < 2 {
			t.Errorf("after %d of 3 parts the ledger is whole: %t", i, u.whole())
		}
		if err := u.takeGroup(g.number, l.pack(g)); err != nil {
			t.Fatal(err)
		}
	}
	if !u.whole() || found.sites != l.sites || !maps.Equal(found.ranges, l.ranges) ||
		!reflect.DeepEqual(found.renaming, l.renaming) || len(found.groups) != 3 {
		t.Fatalf("unpacked %+v", found)
	}
	for _, old := range l.files {
		now := found.files[found.byPath[old.ref.Path]]
		if !reflect.DeepEqual(now.ref, old.ref) || !slices.Equal(now.sites.positions, old.sites.positions) ||
			!slices.Equal(now.gives, old.gives) ||
			!slices.Equal(now.aside, old.aside) || !slices.Equal(now.renames, old.renames) ||
			!reflect.DeepEqual(now.group.calls, old.group.calls) ||
			!reflect.DeepEqual(now.group.receivers.reads, old.group.receivers.reads) || !now.group.dispatch.settled {
			t.Errorf("%s: %+v, want %+v", old.ref.Path, now, old)
		}
		if len(now.imports) != len(old.imports) || now.sites.count() != old.sites.count() {
			t.Fatalf("%s: %+v, want %+v", old.ref.Path, now, old)
		}
		for i, b := range old.imports {
			if found.files[now.imports[i].file].ref.ID != l.files[b.file].ref.ID || now.imports[i].number != b.number {
				t.Errorf("import %d leads to %+v, want %+v", i, now.imports[i], b)
			}
		}
		for i := range old.sites.count() {
			got, r := now.sites.at(i), old.sites.at(i)
			if found.texts.at(got.text) != l.texts.at(r.text) || got.outcome != r.outcome ||
				got.flags != r.flags || got.strategy != r.strategy || r.outcome == Settled &&
				found.files[got.target.file].ref.ID != l.files[r.target.file].ref.ID || r.has(flagReceiver) &&
				found.files[got.receiver.file].ref.ID != l.files[r.receiver.file].ref.ID {
				t.Errorf("call %d of %s: %+v, want %+v", i, old.ref.Path, got, r)
			}
		}
	}
	for _, a := range found.admitted {
		if a.groups != 2 || len(a.list) != 1 {
			t.Errorf("admitted %+v", a)
		}
	}
	if err := u.takeGroup(9, l.pack(l.groups[0])[:7]); err == nil {
		t.Error("a part that is cut off is read")
	}
}

// TestForgottenFiles checks that forget leaves nothing of a file in the indexes.
func TestForgottenFiles(t *testing.T) {
	l, _ := written(t, "a.x: f=1 g=open f=0", "b.x: f=out g=open")
	l.files[0].renames, l.renaming["f"] = []string{"f"}, []rename{{100, []string{"x"}}, {101, []string{"y"}}}
	l.forget(l.files[0])
	if l.sites != 2 || len(l.renaming["f"]) != 1 || l.renaming["f"][0].id != 101 {
		t.Errorf("%d sites, renames %v", l.sites, l.renaming)
	}
	for token, files := range l.calling {
		if !slices.Equal(files, []uint32{1}) {
			t.Errorf("%s is still called in %v", l.tokens.at(uint32(token)), files)
		}
	}
}

// TestWhatAChangeUnsettles checks which look-ups count as changed after a change of a file, and
// which parts of a group a changed look-up makes out of date.
func TestWhatAChangeUnsettles(t *testing.T) {
	name := func(n string) leaf { return leafOf(readNamed, n) }
	l, _ := written(t, "a/b/t.x:", "c.x:")
	l.files[0].gives = newGivenList([]given{{name("kept"), 1}, {name("gone"), 1}, {name("other"), 1}})
	l.ranges[rangeKey{"s", "u"}], l.ranges[rangeKey{"u", "z"}], l.ranges[rangeKey{"t.x", "t.y"}] = true, true, true
	old := *l.files[0].ref
	after := newGivenList([]given{{name("kept"), 1}, {name("other"), 2}, {name("new"), 1}})
	places := []leaf{leafOf(readPath, "a/b/t.x"), leafOf(readDir, "a/b"), leafOf(readBase, "t.x"), leafOf(readBelow,
		"a/b"),
		leafOf(readBelow, "a"), leafOf(readBelow, ""), rangeLeaf(rangeKey{"s", "u"}), rangeLeaf(rangeKey{"t.x", "t.y"})}
	named := func(list ...string) (out []leaf) {
		for _, n := range list {
			out = append(out, name(n))
		}
		return out
	}
	bearing := func(list ...string) (out []leaf) {
		for _, n := range list {
			out = append(out, bearingLeaf(name(n)))
		}
		return out
	}
	moved := old
	moved.Language = "y"
	for _, c := range []struct {
		title string
		path  string
		now   []store.FileRef
		after shares
		want  []leaf
	}{
		{"an edit", "a/b/t.x", []store.FileRef{old}, shares{after, 2},
			slices.Concat([]leaf{fileLeaf(100)}, named("gone", "other", "new"), bearing("gone", "new"))},
		{"no change", "a/b/t.x", []store.FileRef{old}, shares{l.files[0].gives, 1}, nil},
		{"an edit inside", "a/b/t.x", []store.FileRef{old}, shares{after, 1},
			slices.Concat(named("gone", "other", "new"), bearing("gone", "new"))},
		{"another type", "a/b/t.x", []store.FileRef{old}, shares{l.files[0].gives, 2}, []leaf{fileLeaf(100)}},
		{"a removal", "a/b/t.x", nil, shares{},
			slices.Concat(places, []leaf{fileLeaf(100)}, named("kept", "gone", "other"), bearing("kept", "gone",
				"other"))},
		{"another language", "a/b/t.x", []store.FileRef{moved}, shares{l.files[0].gives, 1},
			slices.Concat(places, []leaf{fileLeaf(100)}, named("kept", "gone", "other"), bearing("kept", "gone",
				"other"))},
	} {
		changed := map[leaf]bool{}
		l.compare(c.path, c.now, shares{l.files[0].gives, 1}, c.after, changed)
		want := map[leaf]bool{}
		for _, x := range c.want {
			want[x] = true
		}
		if !maps.Equal(changed, want) {
			t.Errorf("%s: %d look-ups changed, want %d", c.title, len(changed), len(want))
		}
	}
	set := func(names ...string) leafSet { return newLeafSet(slices.Sorted(slices.Values(named(names...)))) }
	g := &group{calls: part{set("a", "b"), true}, dispatch: part{set("c"), true}, receivers: part{set("d"), true}}
	if g.unsettle(true, named("x")); !g.calls.settled || !g.dispatch.settled ||
		!g.receivers.settled {
		t.Error("a look-up that nothing rests on unsettles a group")
	}
	if g.unsettle(true, named("c")); !g.calls.settled || g.dispatch.settled ||
		!g.receivers.settled {
		t.Error("dispatch rests on a look-up that changed")
	}
	if g.unsettle(true, named("b")); g.calls.settled || g.receivers.settled {
		t.Error("receivers follow from calls")
	}
	g = &group{calls: part{settled: true}, dispatch: part{settled: true}, receivers: part{settled: true}}
	if g.unsettle(false, nil); g.calls.settled || g.dispatch.settled || g.receivers.settled {
		t.Error("a change that is not known leaves a group settled")
	}
}

// TestReplacedFiles checks that the entry at a path is that of the file which is there now.
func TestReplacedFiles(t *testing.T) {
	l, _ := written(t, "a.x: f=1", "b.x: f=1")
	edited := store.FileRef{ID: 100, Path: "a.x", Language: "x", Hash: code.Hash{9}}
	l.replace("a.x", []store.FileRef{edited}, shares{newGivenList([]given{{1, 1}}), 1})
	if e := l.files[0]; e.ref.Hash != edited.Hash || e.group.calls.settled || e.group.dispatch.settled ||
		len(l.files) != 2 {
		t.Errorf("after an edit: %+v", e)
	}
	if e := l.files[0]; e.gives == nil || e.shown != 1 {
		t.Errorf("after an edit: %+v", e)
	}
	l.files[0].group.dispatch.settled = true
	if l.replace("a.x", []store.FileRef{edited}, shares{nil, 1}); !l.files[0].group.dispatch.settled {
		t.Error("an edit that no other file can see unsettles dispatch")
	}
	l.replace("a.x", []store.FileRef{{ID: 102, Path: "a.x", Language: "x"}}, shares{}) // another file
	l.replace("c.x", []store.FileRef{{ID: 103, Path: "c.x", Language: "x"}}, shares{})
	l.replace("b.x", nil, shares{})
	l.replace("none.x", nil, shares{})
	if l.files[0] != nil || l.files[1] != nil || len(l.byPath) != 2 || len(l.byID) != 2 ||
		l.files[l.byPath["a.x"]].ref.ID != 102 ||
		l.files[l.byID[103]].ref.Path != "c.x" || l.sites != 0 {
		t.Errorf("%d sites; paths %v, ids %v", l.sites, l.byPath, l.byID)
	}
	if l.worn() {
		t.Error("a few changes wear a ledger")
	}
	l.files = append(l.files, make([]*entry, 2*len(l.byID)+maxChanged)...)
	if !l.worn() {
		t.Error("thousands of removed files do not")
	}
}

// TestDispatchInTheLedger checks that an edge between a declaration and the one that may run
// instead is found from both, and that a result of two groups is removed when both groups are
// dismissed.
func TestDispatchInTheLedger(t *testing.T) {
	l, files := written(t, "b.x:", "a.x:", "c.x:")
	l.files[0].implementations = belowOf(map[int32][]target{0: {{1, 0}, {2, 0}}})
	l.files[2].implementations = belowOf(map[int32][]target{0: {{1, 0}}, 1: {{0, 0}}})
	l.files[2].aside = []int32{1}
	if got, want := l.replaced(), (map[target][]target{{1, 0}: {{0, 0}, {2, 0}}, {2, 0}: {{0,
		0}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	key := receiving{target{0, 0}, target{2, 0}}
	l.admitted[key] = admission{[]target{{1, 0}}, 2}
	l.groups[0].received, l.groups[1].received = []receiving{key}, []receiving{key}
	for _, f := range files {
		f.calls.make = func() *fileCalls { return &fileCalls{} }
	}
	ask := func(receiver, impl Ref) string {
		may, ok := l.mayRun(1, files[0].Ref(0), receiver, impl)
		return fmt.Sprint(may, ok)
	}
	if got := ask(Ref{}, files[1].Ref(0)); got != "false false" {
		t.Errorf("before dispatch is resolved: %s", got)
	}
	l.dispatched = true
	for _, c := range []struct {
		receiver, impl Ref
		want           string
	}{{Ref{}, files[1].Ref(0), "true true"}, {Ref{}, files[0].Ref(0), "false true"}, {files[2].Ref(0),
		files[1].Ref(0), "true true"},
		{files[2].Ref(0), files[2].Ref(0), "false true"}, {files[1].Ref(0), files[1].Ref(0), "false false"}} {
		if got := ask(c.receiver, c.impl); got != c.want {
			t.Errorf("%v on %v: %s, want %s", c.impl.File.Path, c.receiver, got, c.want)
		}
	}
	if l.dismiss(l.groups[0]); len(l.admitted) != 1 || l.admitted[key].groups != 1 {
		t.Errorf("%v", l.admitted)
	}
	if l.dismiss(l.groups[1]); len(l.admitted) != 0 || l.groups[1].received != nil {
		t.Errorf("%v", l.admitted)
	}
}

// TestImportersInTheLedger checks which imports lead to a file.
func TestImportersInTheLedger(t *testing.T) {
	l, files := written(t, "a.x:", "b.x:", "c.x:")
	l.files[1].imports, l.files[2].imports = []brought{{0, 3}, {2, 1}}, []brought{{0, 0}}
	got, ok := l.importers(1, files[0])
	if !ok || !slices.Equal(got, []importPlace{{101, 3}, {102, 0}}) {
		t.Errorf("%v", got)
	}
	if _, ok := l.importers(2, files[0]); ok {
		t.Error("another generation is served")
	}
	if _, ok := l.importers(1, symbols("none.x")); ok {
		t.Error("a file that is not indexed has importers")
	}
}

// TestLedgerCountsItsBytes checks that each addition to a ledger increases its estimated size, by
// some tens of bytes.
func TestLedgerCountsItsBytes(t *testing.T) {
	l, _ := written(t, "a.x: f=1", "b.x:")
	e, g := l.files[0], l.groups[0]
	for i, add := range []func(){
		func() { l.names.number(strings.Repeat("one more name ", 9)) },
		func() { l.tokens.number(strings.Repeat("one more token ", 9)) },
		func() { l.texts.number(strings.Repeat("one more text ", 9)) }, func() { l.ranges[rangeKey{"a", "b"}] = true },
		func() { l.byPath["c.x"] = 0 }, func() { l.byID[7] = 0 }, func() { l.renaming["x"] = nil },
		func() { l.tokenOf = make([]uint32, 50) }, func() { l.order = make([]uint32, 50) },
		func() { l.files = append(slices.Clone(l.files), make([]*entry, 50)...) },
		func() { l.groups = append(slices.Clone(l.groups), &group{}) },
		func() { l.calling = append(slices.Clone(l.calling), make([]uint32, 50)) },
		func() { l.overridden = map[target][]target{{1, 1}: make([]target, 5)} },
		func() { l.admitted[receiving{}] = admission{list: make([]target, 5)} },
		func() { e.sites.results = make([]result, 5) }, func() { e.sites.of = make([]byte, 50) },
		func() { e.sites.positions = make([]byte, 50) },
		func() { e.aside = make([]int32, 50) }, func() { e.imports = make([]brought, 50) },
		func() { e.gives = make(givenList, 50) }, func() { e.renames = make([]string, 5) },
		func() { e.implementations = belowOf(map[int32][]target{1: make([]target, 5)}) },
		func() { g.files = make([]*entry, 50) }, func() { g.calls.reads.low = make([]byte, 50) },
		func() { g.dispatch.reads.low = make([]byte, 50) }, func() { g.receivers.reads.low = make([]byte, 50) },
		func() { g.received = make([]receiving, 5) },
	} {
		before := l.bytes()
		add()
		if more := l.bytes() - before; more < 20 || more > 2000 {
			t.Errorf("addition %d counts %d bytes", i, more)
		}
	}
}

// TestSharesBeforeAnEdit computes the former shares of a file that was edited before the ledger
// resolved it.
func TestSharesBeforeAnEdit(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Schemas: []store.Schema{l2meta.Schema()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l := &ledger{contents: newContents(nil)}
	write := func(name string) (s shares, id int64) {
		t.Helper()
		f := &code.File{Path: "a.x", Parsed: true,
			Symbols: []code.Symbol{{Kind: code.KindFunction, Name: name, QualifiedName: name, Parent: -1}}}
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			err := l2meta.Index{}.StartLog(t.Context(), tx)
			if err == nil {
				id, err = tx.PutFile(t.Context(), store.FileRow{Path: f.Path, Class: code.ClassSource})
			}
			if err != nil {
				return err
			}
			return l2meta.Index{}.Prepare(t.Context(), f)(t.Context(), tx, id)
		})
		if err != nil {
			t.Fatal(err)
		}
		return l.sharesOf("", f, nil), id
	}
	before := func() (s shares, known bool) {
		t.Helper()
		err := db.View(t.Context(), func(v *store.View) (err error) {
			s, known, err = l.before(t.Context(), v, "a.x")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s, known
	}
	if s, known := before(); !known || s.gives != nil {
		t.Errorf("a file that is new: %v, known %t", s, known)
	}
	old, id := write("old")
	l.add(store.FileRef{ID: id, Path: "a.x"}, &group{})
	err = db.View(t.Context(), func(v *store.View) (err error) {
		l.log, err = l2meta.Index{}.LogEnd(t.Context(), v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write("new")
	if s, known := before(); !known || !slices.Equal(s.gives, old.gives) {
		t.Errorf("shares %v, known %t, want %v", s, known, old)
	}
	l.log = l2meta.Log{}
	if _, known := before(); known {
		t.Error("shares that nothing tells are known")
	}
	l.files[0].gives, l.files[0].shown = old.gives, old.shown
	if s, known := before(); !known || !reflect.DeepEqual(s, old) {
		t.Errorf("shares that were taken: %v, known %t", s, known)
	}
}

// TestIncompleteLedgerIsKept packs a group whose results refer to a file that was removed.
func TestIncompleteLedgerIsKept(t *testing.T) {
	l, _ := written(t, "a.x: f", "b.x:")
	g := l.files[0].group
	l.files[0].implementations = belowOf(map[int32][]target{0: {{0, 1}, {1, 0}}})
	l.files[0].gives, l.files[1].gives = nil, givenList{}
	g.calls.settled, g.dispatch.settled, g.receivers.settled = false, false, false
	other := l.files[1]
	l.files[1] = nil
	part := l.pack(g)
	found := newContents(nil)
	u := &ledgerReader{&found, l.languages}
	if err := u.takeGroup(1, part); err != nil {
		t.Fatal(err)
	}
	got := found.files[0]
	if !u.whole() || found.groups[0].calls.settled || found.groups[0].dispatch.settled || len(got.sites.of) > 0 ||
		got.gives != nil || !slices.Equal(got.implementations.of(0), []target{{0, 1}}) {
		t.Errorf("group %+v, file %+v", found.groups[0], got)
	}
	l.files[1] = other
	if err := u.takeGroup(2, l.pack(other.group)); err != nil || found.files[1].gives == nil {
		t.Errorf("no shares are taken for shares that are not known: %v", err)
	}
}

// TestMovedLedgerAnswersAlike checks that a ledger gives the same answers after its lists were moved
// to a file, to another file, and back to the heap.
func TestMovedLedgerAnswersAlike(t *testing.T) {
	l, files := written(t, "b.x: f=1 g=open", "a.x: h=out f=0", "c.x: f=1 f=0")
	l.files[0].implementations = belowOf(map[int32][]target{0: {{1, 0}, {2, 0}}})
	l.files[2].imports = []brought{{1, 3}}
	l.overridden, l.dispatched = l.replaced(), true
	l.log, l.groups[1].changed = l2meta.Log{ID: "log"}, true
	answers := func() string {
		var out []any
		for _, f := range files {
			f.Hash = l.files[l.byID[f.ID]].ref.Hash
			for i := range f.Sites() {
				r := l.files[l.byID[f.ID]].sites.at(i)
				out = append(out, l.names.at(r.callee), l.texts.at(r.text), r.outcome, r.strategy)
			}
			in, ok := l.callers(1, f.Ref(0), []string{"f", "g", "h"}, 9)
			by, known := l.importers(1, f)
			below, _ := l.mayRun(1, files[0].Ref(0), Ref{}, f.Ref(0))
			above := l.places(l.overridden[target{l.byID[f.ID], 0}])
			out = append(out, "\n", len(in.Callers), len(in.Open), ok, by, known, below, above)
			for _, at := range in.Callers {
				out = append(out, *at.File, at.Line, at.Callee)
			}
		}
		return fmt.Sprintln(append(out, l.generation, l.log, l.sites, l.whole(1), len(l.ranges))...)
	}
	before, bytes := answers(), l.listBytes()
	for range 2 {
		lists, err := mapped.Create(t.TempDir())
		if err != nil {
			t.Skip("this system maps no files:", err)
		}
		l.move(lists)
		if after := answers(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
		if used := lists.Used(); used < l.listBytes() || bytes == 0 {
			t.Errorf("the file holds %d bytes of %d", used, l.listBytes())
		}
	}
	l.move(nil)
	if after := answers(); after != before || l.lists != nil {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b []leaf
		want bool
	}{
		{nil, nil, false}, {nil, []leaf{1}, false}, {[]leaf{1, 5, 9}, []leaf{2, 6}, false},
		{[]leaf{1, 5, 9}, []leaf{2, 9}, true}, {[]leaf{4}, []leaf{1, 4, 8}, true}, {[]leaf{9}, []leaf{1, 4, 8}, false},
		{[]leaf{0, 3}, []leaf{0}, true}, {[]leaf{1 << 24, 1<<24 + 9, leafMask}, []leaf{9, 5 << 24}, false},
		{[]leaf{1, 1 << 24, 1<<24 + 9, leafMask}, []leaf{leafMask}, true}, {[]leaf{1 << 24}, []leaf{0}, false},
	} {
		if a, b := newLeafSet(c.a), newLeafSet(c.b); a.overlaps(c.b) != c.want || b.overlaps(c.a) != c.want ||
			!slices.Equal(slices.Collect(a.all()), c.a) {
			t.Errorf("%v and %v: want %t", c.a, c.b, c.want)
		}
	}
}
