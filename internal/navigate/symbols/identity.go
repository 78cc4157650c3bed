package symbols

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// resolution is the result of resolving a reference in one file.
type resolution struct {
	Found bool
	Named
	Moved      bool    // the symbol's text has changed since the reference was made
	candidates []Named // for an ambiguous or missing reference, the likeliest first
}

// MaxCandidates bounds the candidates of an ambiguous answer.
const MaxCandidates = 20

// ResolveIn resolves ref in f.
//
// An instance id resolves to the symbol whose text has the same hash, if there is exactly one. Otherwise a
// symbol id resolves to its symbol, unless other symbols have the same key (see code.Key), such as overloads;
// then the reference is ambiguous. An id that no longer exists is never replaced by a guess: the symbols with
// its label are candidates.
func ResolveIn(f *code.File, ref contract.SymbolRef) resolution {
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
	var byID *Named
	for i := range all {
		if all[i].ID == id {
			byID = &all[i]
		}
	}
	if byID != nil && (hash == "" || spanHash(byID.Instance()) == hash) {
		return resolution{Found: true, Named: *byID}
	}
	if hash != "" {
		if same := withHash(all, hash); len(same) == 1 {
			return resolution{Found: true, Named: same[0], Moved: true}
		}
	}
	if byID == nil {
		return resolution{candidates: labelled(f.Path, all, ref.SymbolLabel)}
	}
	twins := withKey(all, byID.Key())
	if len(twins) == 1 {
		return resolution{Found: true, Named: *byID, Moved: true}
	}
	return resolution{candidates: twins}
}

// withHash returns the symbols whose text has the given hash. It leaves out those nested deeper than
// maxParents, which are in generated files.
func withHash(all []Named, hash string) (out []Named) {
	for _, n := range all {
		if n.depth <= maxParents && spanHash(n.Instance()) == hash {
			out = append(out, n)
		}
	}
	return out
}

// withKey returns the symbols with the given key, such as overloads.
func withKey(all []Named, key string) (out []Named) {
	for _, n := range all {
		if n.Key() == key {
			out = append(out, n)
		}
	}
	return out
}

// atSpan chooses among the symbols in all by their lines: it returns all that start inside span. If
// there are none, it returns the symbols around the first line of span, because a reference may give
// any line of a declaration. If there are none either, it returns every symbol.
func atSpan(all []Named, span contract.LineSpan) []Named {
	first, last := span.StartLine, max(span.EndLine, span.StartLine)
	var starting, around []Named
	for _, n := range all {
		s := n.Symbol.Span
		if s.StartLine >= first && s.StartLine <= last {
			starting = append(starting, n)
		}
		if s.StartLine <= first && first <= s.EndLine {
			around = append(around, n)
		}
	}
	switch {
	case len(starting) > 0:
		return starting
	case len(around) > 0:
		return around
	}
	return all
}

// resolveLabel resolves a reference by its label. If several symbols of the file match, they become
// candidates. If ref has a span, only the symbols there are considered.
func resolveLabel(file string, all []Named, ref contract.SymbolRef) resolution {
	matches := labelled(file, all, ref.SymbolLabel)
	if ref.Span != nil {
		matches = atSpan(matches, *ref.Span)
	}
	if len(matches) > 1 {
		matches = definitions(matches)
	}
	if len(matches) == 1 {
		return resolution{Found: true, Named: matches[0]}
	}
	return resolution{candidates: matches}
}

// definitions returns the list without declarations that another symbol of the list defines, such as
// prototypes.
func definitions(list []Named) []Named {
	if len(list) > maxDeclared {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(n Named) bool {
		return slices.ContainsFunc(list, func(m Named) bool { return defines(n.file.Language, m.Symbol, n.Symbol) })
	})
}

// defines reports whether d is a declaration without a body and definition is the same symbol
// with a body. d is then a prototype in C, an overload signature in TypeScript or a partial
// method in C#. The parameter types must be equal too, except in languages whose overload
// signatures differ from the definition, as in TypeScript.
func defines(language string, definition, d *code.Symbol) bool {
	hasBody := func(s *code.Symbol) bool { return s.Body[1] > s.Body[0] }
	if hasBody(d) || !hasBody(definition) || d.QualifiedName != definition.QualifiedName {
		return false
	}
	return languages.All[language].Redeclares ||
		slices.EqualFunc(d.Parameters, definition.Parameters, func(x, y code.Parameter) bool {
			return x.Type == y.Type
		})
}

// labelled returns the symbols that a label may refer to, but only those that match it best. The
// whole qualified name is a better match than its end, and exact case is better than other case.
func labelled(file string, all []Named, label string) []Named {
	for _, way := range spellings(label) {
		if out := spelt(file, all, way); len(out) > 0 {
			return out
		}
	}
	return nil
}

// spelt does the same as labelled for one normalized spelling of the label.
func spelt(file string, all []Named, label string) []Named {
	best, out := 1, []Named(nil)
	after := rests(file, label)
	for _, n := range all {
		rank := placedRank(n.Symbol.QualifiedName, label, after)
		if rank == 0 && (extends(*n.Symbol, label) || enclosed(file, n.Symbol.QualifiedName, label)) {
			rank = 1
		}
		if rank > best {
			best, out = rank, nil
		}
		if rank == best {
			out = append(out, n)
		}
	}
	return out[:min(len(out), MaxCandidates)]
}

// NormalLabel converts a name from its language's notation to a dotted one: "A::f", "(*T).M",
// "T#m", "p->q", "f()". It converts a route from its framework's notation: "GET /orders/:id"
// becomes "GET /orders/{id}".
func NormalLabel(label string) string {
	label = strings.TrimSpace(label)
	route := routeOf(label)
	if m := operatorName.FindStringSubmatch(label); m != nil && route == "" {
		return strings.TrimLeft(NormalLabel(m[1])+".operator"+m[2], ".")
	}
	label = strings.TrimSuffix(strings.TrimSuffix(label, route), "()")
	owner := strings.NewReplacer("::", ".", "#", ".", "->", ".", "(*", "", "(", "", ")", "", "&", "",
		"*", "").Replace(label)
	if route == "" {
		return strings.Trim(owner, ". ")
	}
	return strings.TrimLeft(owner, ". ") + routePart.ReplaceAllString(route, "{$1}")
}

var (
	routeLabel = regexp.MustCompile(`(?:^|[^A-Za-z])((?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|ANY) /.*)$`)
	routePart  = regexp.MustCompile(`:(\w+)`)
	// operatorName matches the name of an operator whose marks have another meaning in other names: "T::operator->",
	// "T.operator()".
	operatorName = regexp.MustCompile(`^(.*?)(?:::|\.|^)operator ?(\(\)|->\*?|[*&]|&&|\*=|&=)$`)
)

// routeOf returns the route at the end of a label, such as "GET /orders/{id}", or "".
func routeOf(label string) string {
	if m := routeLabel.FindStringSubmatch(label); m != nil {
		return m[1]
	}
	return ""
}

// LastName returns the last name in a label: "Handle" of "Server.Handle". Of a route it returns the
// route.
func LastName(label string) string {
	label = NormalLabel(label)
	if route := routeOf(label); route != "" {
		return route
	}
	return label[strings.LastIndexByte(label, '.')+1:]
}

// LabelRank grades the match of a qualified name with a normalized label: 4 if they are equal, 3 if
// the name ends with the label, 2 and 1 for the same in another case, 0 for no match.
func LabelRank(qualified, label string) int {
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

func candidatesIn(f *code.File, list []Named) (out []contract.Candidate) {
	for _, n := range list[:min(len(list), MaxCandidates)] {
		out = append(out, contract.Candidate{SymbolID: string(n.ID), SymbolLabel: n.Symbol.QualifiedName, File: f.Path,
			Span: contract.Lines(n.Symbol.Span),
			Kind: string(n.Symbol.Kind), Language: f.Language, Signature: n.Symbol.Signature})
	}
	return signOverloads(out)
}

// CandidatesOf returns the symbols of rows as candidates, at most MaxCandidates.
func CandidatesOf(rows []l2meta.Row) (out []contract.Candidate) {
	for _, r := range rows[:min(len(rows), MaxCandidates)] {
		out = append(out, contract.Candidate{SymbolID: string(RowID(r)), SymbolLabel: r.Symbol.QualifiedName,
			File: r.Path, Span: contract.Lines(r.Symbol.Span),
			Kind: string(r.Symbol.Kind), Language: r.Language, Signature: r.Symbol.Signature})
	}
	return signOverloads(out)
}

// maxSignature is the largest length in bytes of a candidate's signature.
const maxSignature = 160

// signOverloads keeps the signatures of candidates that share file and label, and clears the
// others.
func signOverloads(list []contract.Candidate) []contract.Candidate {
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

// placedRank grades the match of a symbol with a label. For a label without a file or folder it
// returns [LabelRank] plus 2. It returns 2 or 1 for a label that starts with a file, folder or
// package of the symbol and ends with its qualified name or a part of it: "http.Server.Serve",
// "net/http.Serve", "server.go:Serve". It returns 0 if the symbol does not match. afterPlaces is
// the result of [rests] for the symbol's file and the label.
func placedRank(qualified, label string, afterPlaces []string) (best int) {
	if r := LabelRank(qualified, label); r > 0 {
		return r + 2
	}
	for _, rest := range afterPlaces {
		best = max(best, LabelRank(qualified, rest)-2)
	}
	return best
}

// rests returns the remainders of a label that starts with the location of the file: its folder,
// its path, its path without the extension, or the last parts of one of them, joined by ".", ":"
// or "/". There is one remainder for each way to split the label: for "net/http.Serve" and a file
// in net/http, it is "Serve".
func rests(file, label string) (out []string) {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == ':' || r == '/' || r == '\\' })
	}
	if !strings.ContainsAny(label, ".:/") {
		return nil
	}
	places := [][]string{split(path.Dir(file)), split(file), split(strings.TrimSuffix(file, path.Ext(file)))}
	for i := range len(label) {
		if strings.IndexByte(".:/", label[i]) < 0 {
			continue
		}
		want := split(label[:i])
		if len(want) > len(places[1]) {
			break
		}
		for _, have := range places {
			if len(want) > 0 && len(have) >= len(want) && slices.Equal(have[len(have)-len(want):], want) {
				out = append(out, label[i+1:])
				break
			}
		}
	}
	return out
}
