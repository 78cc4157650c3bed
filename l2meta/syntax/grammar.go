package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// Grammar is a compiled tree-sitter language with the names of its node types and fields, and the
// handlers of one rule set by node type.
type Grammar struct {
	Language *sitter.Language
	Kinds    []string                     // names of the node types, by tree-sitter's number ("symbol")
	fields   []string                     // names of the fields, by tree-sitter's id; "" for id 0
	Named    map[string]uint16            // field name → id
	handlers []Handler                    // handler of each node type; nil means that the children are visited
	comments []bool                       // for each node type, whether its nodes are comments
	hidden   []func(w *Walk, n Node) bool // for each node type, its function in Rules.Hidden
	Rules    *Rules
}

// errorSymbol is the node type of text that the grammar does not accept: a syntax error.
const errorSymbol = 0xffff

// parseLeast, parsePerKB and parseMost limit the processor time of a parse, which some texts make
// quadratic: ordinary text takes 0.1 s a megabyte, but 2 KB of garbage can occupy the Kotlin
// grammar without end. The limit is about fifty times the usual time.
const (
	parseLeast = 2 * time.Second
	parsePerKB = 5 * time.Millisecond
	parseMost  = 10 * time.Second
)

func parseLimit(size int) time.Duration {
	return min(parseLeast+time.Duration(size>>10)*parsePerKB, parseMost)
}

// NewGrammar binds the rules r to a tree-sitter language. language is nil if the rules read the
// text themselves.
func NewGrammar(language *sitter.Language, r *Rules) *Grammar {
	g := &Grammar{Language: language, Rules: r, fields: []string{""}, Named: map[string]uint16{}}
	if language == nil {
		g.Kinds, g.handlers, g.comments = []string{""}, make([]Handler, 1), make([]bool, 1)
		return g
	}
	n := int(language.SymbolCount())
	g.Kinds, g.handlers, g.comments = make([]string, n), make([]Handler, n), make([]bool, n)
	g.hidden = make([]func(w *Walk, n Node) bool, n)
	for i := range n {
		name := language.SymbolName(sitter.Symbol(i))
		g.Kinds[i] = name
		// An anonymous token may have the name of a node ("class"), but rules apply to nodes.
		if language.SymbolType(sitter.Symbol(i)) != sitter.SymbolTypeRegular {
			continue
		}
		g.handlers[i], g.hidden[i] = r.Handlers[name], r.Hidden[name]
		for _, c := range r.Comments {
			g.comments[i] = g.comments[i] || c == name
		}
	}
	for id := 1; ; id++ {
		name := language.FieldName(id)
		if name == "" {
			break
		}
		g.fields = append(g.fields, name)
		g.Named[name] = uint16(id)
	}
	return g
}

var errParseLimit = errors.New("the parser gave up")

// Parse returns the tree of a text. For rules that read the text themselves, the tree is a single
// root for all of the text. It returns an error if the parser exceeds its time limit. It is safe
// for concurrent use.
func (g *Grammar) Parse(text []byte) (*Tree, error) {
	left := parseLimit(len(text))
	return g.ParseWithin(text, &left)
}

// ParseWithin does the same as Parse, with a time limit that several parses of one file share: it
// subtracts its time from left.
func (g *Grammar) ParseWithin(text []byte, left *time.Duration) (*Tree, error) {
	if g.Language == nil {
		return &Tree{Grammar: g, Text: text, Left: left,
			Nodes: []flatNode{{End: uint32(len(text)), parent: -1, Next: 1, flags: flagNamed}}}, nil
	}
	if *left <= 0 {
		return nil, errParseLimit
	}
	runtime.LockOSThread() // the processor time is counted by thread
	defer runtime.UnlockOSThread()
	began := threadTime()
	defer func() { *left -= threadTime() - began }()
	nodes, err := g.within(g.masked(text), *left, threadTime)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errParseLimit, err)
	}
	return &Tree{Grammar: g, Text: text, Nodes: nodes, Left: left}, nil
}

// masked returns the text that the parser receives: the result of Rules.Mask, or text itself if the
// result has another length. NULs become spaces, because scanners take a NUL for the end of the
// text.
func (g *Grammar) masked(text []byte) []byte {
	shown := text
	if g.Rules.Mask != nil {
		if m := g.Rules.Mask(text); len(m) == len(text) {
			shown = m
		}
	}
	if bytes.IndexByte(shown, 0) >= 0 {
		shown = bytes.ReplaceAll(shown, []byte{0}, []byte{' '})
	}
	return shown
}
