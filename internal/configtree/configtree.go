// Package configtree reads configuration files (YAML, JSON with comments, .properties and HOCON)
// into one form: a tree of keys and values with their line numbers. It knows only the syntax, not
// the settings of any program. For a YAML file with a syntax error it returns the documents
// before the error.
package configtree

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// maxDocuments bounds the number of YAML documents that are read from one file.
const maxDocuments = 500

// Node is a value of a configuration file: a scalar, or a list or map of others.
type Node struct {
	Key   string // key in the map that contains the node, "" in a list
	Value string // value of a scalar
	Line  int    // 1-based; 0 for a node that is not in the file, as At returns for a missing key
	Kids  []*Node
	List  bool
}

// YAML returns the documents of a YAML file. If the text is not valid YAML and contains {{…}}, it
// is read as a template: lines that consist of a {{…}} are dropped, and every other {{…}} becomes
// "__". A value that is masked because it is secret, as ********, does not make the text invalid.
func YAML(text string) []*Node {
	out, err := parse(text)
	if err != nil && (strings.Contains(text, "{{") || strings.Contains(text, "**")) {
		out, _ = parse(unmasked(untemplated(text)))
	}
	return out
}

func parse(text string) (out []*Node, err error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	for len(out) < maxDocuments {
		var y yaml.Node
		if err = d.Decode(&y); err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, nodeOf("", &y, 0))
	}
	return out, nil
}

var (
	controlLine = regexp.MustCompile(`(?m)^[ \t]*(?:- )?\{\{-?[^\n]*\}\}[ \t]*$`)
	action      = regexp.MustCompile(`\{\{[^{}\n]*\}\}`)
)

func untemplated(text string) string {
	return action.ReplaceAllString(controlLine.ReplaceAllString(text, ""), "__")
}

// maskedValue matches the beginning of a value that is masked because it is secret: "key:
// ********". YAML reads the first asterisk as the sign of an alias, which is an error here.
var maskedValue = regexp.MustCompile(`((?:[:,-][ \t]+|\[[ \t]*))\*(\*{3})`)

func unmasked(text string) string { return maskedValue.ReplaceAllString(text, "$1.$2") }

// nodeOf converts a node of YAML. It follows an alias, such as *shared, but does not merge the map
// of a merge key, "<<: *shared".
func nodeOf(key string, y *yaml.Node, depth int) *Node {
	n := &Node{Key: key, Value: y.Value, Line: y.Line}
	if depth > 40 {
		return n
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) > 0 {
			return nodeOf(key, y.Content[0], depth+1)
		}
	case yaml.AliasNode:
		if y.Alias != nil {
			return nodeOf(key, &yaml.Node{Kind: y.Alias.Kind, Value: y.Alias.Value, Line: y.Line,
				Content: shallow(y.Alias.Content)}, depth+20)
		}
	case yaml.SequenceNode:
		n.List = true
		for _, item := range y.Content {
			n.Kids = append(n.Kids, nodeOf("", item, depth+1))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(y.Content); i += 2 {
			kid := nodeOf(y.Content[i].Value, y.Content[i+1], depth+1)
			kid.Line = y.Content[i].Line
			n.Kids = append(n.Kids, kid)
		}
	}
	return n
}

// shallow returns at most the first 100 items of list. Otherwise an alias for a list of aliases
// could multiply the number of items without bound.
func shallow(list []*yaml.Node) []*yaml.Node { return list[:min(len(list), 100)] }

// Plain returns JSON with comments and trailing commas as plain JSON, with the same byte offsets. It reports false if
// the text is not valid.
func Plain(text []byte) ([]byte, bool) {
	if rest, marked := bytes.CutPrefix(text, []byte("\ufeff")); marked {
		text = append([]byte("   "), rest...)
	}
	plain, err := hujson.Standardize(text)
	return plain, err == nil
}

// JSON parses JSON with comments. It returns nil if the text is not valid.
func JSON(text string) *Node {
	plain, ok := Plain([]byte(text))
	if !ok {
		return nil
	}
	out, err := parse(strings.ReplaceAll(string(plain), "\t", " "))
	if err != nil || len(out) == 0 {
		return nil
	}
	return out[0]
}

// Properties parses a .properties file into a tree: a dot in a key begins a deeper level, and "[0]" an item of a list.
// "a.routes[0].uri=x" gives the tree of the YAML "a: {routes: [{uri: x}]}".
func Properties(text string) *Node {
	root := &Node{}
	line := 0
	for s := range strings.Lines(text) {
		line++
		key, value, ok := strings.Cut(strings.TrimSpace(s), "=")
		if !ok || strings.HasPrefix(key, "#") || strings.HasPrefix(key, "!") {
			continue
		}
		at := root
		for _, part := range strings.Split(strings.TrimSpace(key), ".") {
			name, index, indexed := strings.Cut(part, "[")
			at = at.make(name, line)
			if indexed {
				at.List = true
				at = at.make(strings.TrimSuffix(index, "]"), line)
			}
		}
		at.Value = strings.TrimSpace(value)
	}
	return root
}

func (n *Node) make(key string, line int) *Node {
	for _, k := range n.Kids {
		if k.Key == key {
			return k
		}
	}
	k := &Node{Key: key, Line: line}
	n.Kids = append(n.Kids, k)
	return k
}

// Undotted returns a copy of the tree in which keys with dots are nested: "cloud.gateway: x" becomes "cloud: {gateway:
// x}".
func (n *Node) Undotted() *Node {
	out := &Node{Key: n.Key, Value: n.Value, Line: n.Line, List: n.List}
	for _, k := range n.Kids {
		first, rest, dotted := strings.Cut(k.Key, ".")
		if !dotted {
			out.Kids = append(out.Kids, k.Undotted())
			continue
		}
		inner := *k
		inner.Key = rest
		at := out.make(first, k.Line)
		at.Kids = append(at.Kids, (&Node{Kids: []*Node{&inner}}).Undotted().Kids...)
	}
	return out
}

// At returns the node to which a path of keys leads from n: At("spec", "template"). Two keys are
// equal if Relaxed returns the same for both. At returns an empty node, with Line 0, if there is
// none.
func (n *Node) At(keys ...string) *Node {
	if len(keys) == 0 {
		return n
	}
	first := Relaxed(keys[0])
	for _, k := range n.Kids {
		if k.Key == keys[0] || Relaxed(k.Key) == first {
			if found := k.At(keys[1:]...); found.Line > 0 {
				return found
			}
		}
	}
	return &Node{}
}

// Relaxed returns a key in lower case without '-' and '_', as Spring compares keys: "contextpath"
// for "context-path" and "contextPath".
func Relaxed(key string) string {
	return strings.ToLower(separators.Replace(key))
}

var separators = strings.NewReplacer("-", "", "_", "")

// Text returns the scalar at the path of keys; "" if there is none.
func (n *Node) Text(keys ...string) string { return n.At(keys...).Value }

// Texts returns the scalars of the list at the path of keys, or the one scalar there.
func (n *Node) Texts(keys ...string) (out []string) {
	at := n.At(keys...)
	if len(at.Kids) == 0 && at.Value != "" {
		return []string{at.Value}
	}
	for _, k := range at.Kids {
		if k.Value != "" {
			out = append(out, k.Value)
		}
	}
	return out
}

// Each calls visit with n and every node below it.
func (n *Node) Each(visit func(*Node)) {
	visit(n)
	for _, k := range n.Kids {
		k.Each(visit)
	}
}
