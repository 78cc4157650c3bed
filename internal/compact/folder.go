package compact

import (
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// folder writes the map of a folder: a heading with its path, then its entries.
func (w *writer) folder(m *contract.FolderMap) {
	name := m.Folder + "/"
	if m.Folder == "." {
		name = "./"
	}
	w.put(w.file(name), dim(" "+count(m.Files, "file")))
	for i := 0; i < len(m.Entries); {
		if n := w.together(m.Entries[i:]); n > 0 {
			i += n
			continue
		}
		w.entry(m.Entries[i])
		i++
	}
	if m.Hidden > 0 {
		w.put(plain(fmt.Sprintf("+%s in the lists above", count(m.Hidden, "symbol"))),
			w.option("detail", contract.DetailFull))
	}
}

// together writes the first entries of list in one line if they are files of the same class other
// than source: " test: a_test.go, b_test.go". It returns the number of entries written.
func (w *writer) together(list []contract.MapEntry) (n int) {
	var names []string
	for n < len(list) && list[n].Files == 0 && list[n].Class != "" && list[n].Class == list[0].Class {
		names = append(names, code.QuotePath(list[n].Path))
		n++
	}
	if n > 0 {
		w.put(plain("  "+string(list[0].Class)+": "), quoted(strings.Join(names, ", ")))
	}
	return n
}

// entry writes a line of the map: a file with its symbols, "  a.go, 120 lines: 12 class Server, 40
// .Close", a folder, "  etc/, 2 files", or the folder of a service, "  web/ service front, 3 files
// go".
func (w *writer) entry(e contract.MapEntry) {
	parts := []typeset.Part{plain("  "), named(code.QuotePath(e.Path))}
	switch {
	case e.Service != "":
		parts = append(parts, plain(" service "+e.Service),
			dim(strings.TrimRight(", "+count(e.Files, "file")+" "+e.Language, " ")))
		if e.Kind != "application" {
			parts = append(parts, dim(" ("+e.Kind+")"))
		}
	case e.Files > 0:
		parts = append(parts, dim(", "+count(e.Files, "file")))
	default:
		parts = append(parts, dim(", "+count(e.Lines, "line")), class(e.Class))
	}
	for i, s := range e.Symbols {
		lead := ", "
		if i == 0 {
			lead = ": "
		}
		parts = append(parts, plain(lead), placed(fmt.Sprint(s.Line)), plain(" "+mapName(s)))
	}
	if e.Hidden > 0 {
		parts = append(parts, plain(fmt.Sprintf(", +%d", e.Hidden)))
	}
	w.put(parts...)
}

// mapName returns the last name of a symbol for a map: "Handle" for a function, ".Close" for a
// method, "class Server" for others.
func mapName(s contract.MapName) string {
	name := s.SymbolLabel[strings.LastIndexByte(s.SymbolLabel, '.')+1:]
	switch s.Kind {
	case code.KindMethod, code.KindConstructor:
		return "." + name
	case code.KindFunction:
		return name
	}
	return string(s.Kind) + " " + name
}
