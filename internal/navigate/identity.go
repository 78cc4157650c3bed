package navigate

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// resolution is what a reference means in one file.
type resolution struct {
	found bool
	named
	moved      bool    // the symbol's text is not the one that was referred to
	candidates []named // of an ambiguous or missing reference, the likeliest first
}

// maxCandidates bounds the list that an ambiguous answer carries.
const maxCandidates = 20

// resolveIn finds what ref means in f.
//
// An instance is followed by the content of its span when exactly one symbol
// has it; else an id is taken when it has no ordinal twin; else the reference
// is ambiguous. An id that is gone is never replaced by a guess: symbols of
// its label are candidates.
func resolveIn(f *code.File, ref SymbolRef) resolution {
	all := nameSymbols(f)
	id, hash := code.SymbolID(ref.SymbolID), ""
	if ref.SymbolInstanceID != "" {
		prefix, h, _ := strings.Cut(ref.SymbolInstanceID, "@")
		hash = h
		if id == "" {
			id = code.SymbolID(prefix)
		}
	}
	if id == "" {
		return resolveLabel(f.Path, all, ref)
	}
	var byID *named
	for i := range all {
		if all[i].id == id {
			byID = &all[i]
		}
	}
	if byID != nil && (hash == "" || spanHash(byID.instance()) == hash) {
		return resolution{found: true, named: *byID}
	}
	if hash != "" {
		if same := withHash(all, hash); len(same) == 1 {
			return resolution{found: true, named: same[0], moved: true}
		}
	}
	if byID == nil {
		return resolution{candidates: labelled(f.Path, all, ref.SymbolLabel)}
	}
	twins := withKey(all, byID.key())
	if len(twins) == 1 {
		return resolution{found: true, named: *byID, moved: true}
	}
	return resolution{candidates: twins}
}

func withHash(all []named, hash string) (out []named) {
	for _, n := range all {
		if spanHash(n.instance()) == hash {
			out = append(out, n)
		}
	}
	return out
}

func withKey(all []named, key string) (out []named) {
	for _, n := range all {
		if n.key() == key {
			out = append(out, n)
		}
	}
	return out
}

// resolveLabel takes a label that is unique in the file; a span narrows it
// down to what starts inside.
func resolveLabel(file string, all []named, ref SymbolRef) resolution {
	matches := labelled(file, all, ref.SymbolLabel)
	if ref.Span != nil {
		var inside []named
		for _, n := range matches {
			if n.symbol.Span.StartLine >= ref.Span.StartLine && n.symbol.Span.StartLine <= max(ref.Span.EndLine, ref.Span.StartLine) {
				inside = append(inside, n)
			}
		}
		if len(inside) > 0 {
			matches = inside
		}
	}
	if len(matches) > 1 {
		matches = definitions(matches)
	}
	if len(matches) == 1 {
		return resolution{found: true, named: matches[0]}
	}
	return resolution{candidates: matches}
}

// definitions leaves out what only announces a symbol that another of the same
// name defines.
func definitions(list []named) (out []named) {
	hasBody := func(n named) bool { return n.symbol.Body[1] > n.symbol.Body[0] }
	defined := map[string]bool{}
	for _, n := range list {
		defined[n.symbol.QualifiedName] = defined[n.symbol.QualifiedName] || hasBody(n)
	}
	for _, n := range list {
		if hasBody(n) || !defined[n.symbol.QualifiedName] {
			out = append(out, n)
		}
	}
	return out
}

// labelled are the symbols that a label may mean: the whole qualified name
// beats the end of one, an exact case beats another.
func labelled(file string, all []named, label string) []named {
	label = normalLabel(label)
	if label == "" {
		return nil
	}
	best, out := 1, []named(nil)
	for _, n := range all {
		rank := placedRank(file, n.symbol.QualifiedName, label)
		if rank > best {
			best, out = rank, nil
		}
		if rank == best {
			out = append(out, n)
		}
	}
	return out[:min(len(out), maxCandidates)]
}

// normalLabel reads a name as its language writes it: "A::f", "(*T).M",
// "T#m", "p->q", "f()".
func normalLabel(label string) string {
	label = strings.TrimSpace(label)
	label = strings.TrimSuffix(label, "()")
	return strings.Trim(strings.NewReplacer("::", ".", "#", ".", "->", ".", "(*", "", "(", "", ")", "", "&", "", "*", "").Replace(label), ". ")
}

// lastName is the part of a label that names the symbol itself.
func lastName(label string) string {
	label = normalLabel(label)
	return label[strings.LastIndexByte(label, '.')+1:]
}

// labelRank says how well a qualified name fits a normal label: 4 is equal, 3
// ends with it, 2 and 1 the same in another case, 0 not at all.
func labelRank(qualified, label string) int {
	tail := ""
	if len(qualified) > len(label) {
		tail = qualified[len(qualified)-len(label)-1:]
	}
	switch {
	case label == "":
		return 0
	case qualified == label:
		return 4
	case tail == "."+label:
		return 3
	case strings.EqualFold(qualified, label):
		return 2
	case strings.EqualFold(tail, "."+label):
		return 1
	}
	return 0
}

func candidatesIn(f *code.File, list []named) (out []Candidate) {
	for _, n := range list[:min(len(list), maxCandidates)] {
		out = append(out, Candidate{SymbolID: string(n.id), SymbolLabel: n.symbol.QualifiedName, File: f.Path, Span: Lines(n.symbol.Span),
			Kind: string(n.symbol.Kind), Language: f.Language, Signature: n.symbol.Signature})
	}
	return signOverloads(out)
}

func candidatesOf(rows []l2meta.Row) (out []Candidate) {
	for _, r := range rows[:min(len(rows), maxCandidates)] {
		out = append(out, Candidate{SymbolID: string(rowID(r)), SymbolLabel: r.Symbol.QualifiedName, File: r.Path, Span: Lines(r.Symbol.Span),
			Kind: string(r.Symbol.Kind), Language: r.Language, Signature: r.Symbol.Signature})
	}
	return signOverloads(out)
}

// maxSignature bounds the signature of a candidate, in bytes.
const maxSignature = 160

// signOverloads keeps the signatures of candidates that share file and label.
func signOverloads(list []Candidate) []Candidate {
	type name struct{ file, label string }
	count := map[name]int{}
	for _, c := range list {
		count[name{c.File, c.SymbolLabel}]++
	}
	for i := range list {
		switch c := &list[i]; {
		case count[name{c.File, c.SymbolLabel}] < 2:
			c.Signature = ""
		case len(c.Signature) > maxSignature:
			c.Signature = strings.ToValidUTF8(c.Signature[:maxSignature], "") + "…"
		}
	}
	return list
}
