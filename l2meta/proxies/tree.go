package proxies

import (
	"io"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// node is a value of a configuration file: a scalar, or a list or map of others.
type node struct {
	key   string
	value string
	line  int
	kids  []*node
	list  bool
}

// documents parses a YAML file. A template that is no YAML is read without its
// control lines, its other actions as unknown text.
func documents(text string) []*node {
	out, err := parse(text)
	if err != nil && strings.Contains(text, "{{") {
		out, _ = parse(untemplated(text))
	}
	return out
}

func parse(text string) (out []*node, err error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	for len(out) < maxRules {
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

// nodeOf converts a YAML node; aliases are followed, merge keys are not.
func nodeOf(key string, y *yaml.Node, depth int) *node {
	n := &node{key: key, value: y.Value, line: y.Line}
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
			return nodeOf(key, &yaml.Node{Kind: y.Alias.Kind, Value: y.Alias.Value, Line: y.Line, Content: shallow(y.Alias.Content)}, depth+20)
		}
	case yaml.SequenceNode:
		n.list = true
		for _, item := range y.Content {
			n.kids = append(n.kids, nodeOf("", item, depth+1))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(y.Content); i += 2 {
			kid := nodeOf(y.Content[i].Value, y.Content[i+1], depth+1)
			kid.line = y.Content[i].Line
			n.kids = append(n.kids, kid)
		}
	}
	return n
}

// shallow keeps aliases of aliases from growing without bound.
func shallow(list []*yaml.Node) []*yaml.Node { return list[:min(len(list), 100)] }

// fromJSON parses JSON with comments; nil where it is none.
func fromJSON(text string) *node {
	plain, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
	if err != nil {
		return nil
	}
	out, err := parse(strings.ReplaceAll(string(plain), "\t", " "))
	if err != nil || len(out) == 0 {
		return nil
	}
	return out[0]
}

// properties parses a .properties file into the tree that YAML of the same keys
// has: "a.routes[0].uri=x".
func properties(text string) *node {
	root := &node{}
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
				at.list = true
				at = at.make(strings.TrimSuffix(index, "]"), line)
			}
		}
		at.value = strings.TrimSpace(value)
	}
	return root
}

func (n *node) make(key string, line int) *node {
	for _, k := range n.kids {
		if k.key == key {
			return k
		}
	}
	k := &node{key: key, line: line}
	n.kids = append(n.kids, k)
	return k
}

// undotted returns the tree with a node for each step of keys like "cloud.gateway:".
func (n *node) undotted() *node {
	out := &node{key: n.key, value: n.value, line: n.line, list: n.list}
	for _, k := range n.kids {
		first, rest, dotted := strings.Cut(k.key, ".")
		if !dotted {
			out.kids = append(out.kids, k.undotted())
			continue
		}
		inner := *k
		inner.key = rest
		at := out.make(first, k.line)
		at.kids = append(at.kids, (&node{kids: []*node{&inner}}).undotted().kids...)
	}
	return out
}

// at returns the value below keys, in any spelling of case and separators. It returns
// an empty node where there is none.
func (n *node) at(keys ...string) *node {
	if len(keys) == 0 {
		return n
	}
	for _, k := range n.kids {
		if relaxed(k.key) == relaxed(keys[0]) {
			if found := k.at(keys[1:]...); found.line > 0 {
				return found
			}
		}
	}
	return &node{}
}

func relaxed(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
}

// text returns the scalar below keys, "" without one.
func (n *node) text(keys ...string) string { return n.at(keys...).value }

// texts returns the scalars of a list below keys, or the one scalar.
func (n *node) texts(keys ...string) (out []string) {
	at := n.at(keys...)
	if len(at.kids) == 0 && at.value != "" {
		return []string{at.value}
	}
	for _, k := range at.kids {
		if k.value != "" {
			out = append(out, k.value)
		}
	}
	return out
}

// each calls visit with n and all below it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.each(visit)
	}
}
