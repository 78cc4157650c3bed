package services

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// leaf is a value in a configuration file, with the path of keys that leads to it.
type leaf struct {
	keys  []string
	value string
	at    int // byte offset
}

func (l *leaf) key() string { return strings.Join(l.keys, ".") }

// isSettings reports whether a file contains the settings of a program. It judges by the path: a
// base name such as application.yml or settings.json, or a folder whose name contains config.
func isSettings(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch path.Ext(base) {
	case ".yml", ".yaml", ".properties", ".json":
	case ".ini", ".cfg":
		return base != "setup.cfg" && base != "tox.ini"
	case ".conf": // .conf files are HOCON, unless they belong to a server such as nginx
		if strings.Contains(base, "example") {
			return false
		}
		return strings.HasPrefix(base, "application") || strings.HasPrefix(base, "reference") ||
			path.Base(path.Dir(file)) == "resources"
	default:
		return false
	}
	for _, start := range []string{"application", "bootstrap", "appsettings", "config", "settings", "local.",
		"default.", "production.", "development."} {
		if strings.HasPrefix(base, start) {
			return true
		}
	}
	return strings.Contains(strings.ToLower(path.Dir(file)), "config") && !strings.Contains(base, "compose")
}

// leaves returns the values in a configuration file, in the order of the file.
func leaves(file string, text []byte) []leaf {
	switch path.Ext(strings.ToLower(file)) {
	case ".json":
		return jsonLeaves(text)
	case ".properties":
		return propertyLeaves(text)
	case ".ini", ".cfg":
		return sectionLeaves(text)
	case ".conf":
		return hoconLeaves(text)
	}
	return yamlLeaves(text)
}

// hoconLeaves returns the values in a HOCON file, the format of application.conf.
func hoconLeaves(text []byte) (out []leaf) {
	lines := code.NewLineIndex(text)
	var walk func(n *configtree.Node, keys []string)
	walk = func(n *configtree.Node, keys []string) {
		if n.Value != "" {
			at, _ := lines.Lines(n.Line, n.Line)
			out = append(out, leaf{slices.Clone(keys), n.Value, at})
		}
		for _, k := range n.Kids {
			walk(k, append(slices.Clip(keys), k.Key))
		}
	}
	walk(configtree.HOCON(string(text)), nil)
	return out
}

var property = regexp.MustCompile(`(?m)^[ \t]*([\w.\[\]-]+)[ \t]*[=:][ \t]*([^\r\n]*)`)

func propertyLeaves(text []byte) (out []leaf) {
	for _, m := range property.FindAllSubmatchIndex(text, -1) {
		out = append(out, leaf{[]string{string(text[m[2]:m[3]])}, strings.TrimSpace(string(text[m[4]:m[5]])), m[2]})
	}
	return out
}

// section matches a line that begins a section of an INI file: [kafka-topics].
var section = regexp.MustCompile(`(?m)^\[([\w.-]+)\]`)

// sectionLeaves returns the values in an INI file, each under the key of its section: kafka.orders for orders in
// [kafka].
func sectionLeaves(text []byte) (out []leaf) {
	heads := section.FindAllSubmatchIndex(text, -1)
	for i, head := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		for _, l := range propertyLeaves(text[head[1]:end]) {
			out = append(out, leaf{append([]string{string(text[head[2]:head[3]])}, l.keys...), l.value, l.at + head[1]})
		}
	}
	return out
}

// yamlLeaves reads YAML by its indentation alone, so that it can also read templates that are not valid YAML.
func yamlLeaves(text []byte) (out []leaf) {
	type level struct {
		indent int
		key    string
	}
	var stack []level
	at := 0
	for line := range strings.Lines(string(text)) {
		start := at
		at += len(line)
		body := strings.TrimRight(line, " \t\r\n")
		rest := strings.TrimLeft(body, " ")
		if rest == "" || rest[0] == '#' || strings.HasPrefix(rest, "---") {
			if strings.HasPrefix(body, "---") {
				stack = stack[:0]
			}
			continue
		}
		indent := len(body) - len(rest)
		for strings.HasPrefix(rest, "- ") {
			for len(stack) > 0 && (stack[len(stack)-1].indent > indent ||
				stack[len(stack)-1].indent == indent && stack[len(stack)-1].key == "-") {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, level{indent: indent, key: "-"})
			trimmed := strings.TrimLeft(rest[2:], " ")
			indent += len(rest) - len(trimmed)
			rest = trimmed
		}
		key, value, ok := strings.Cut(rest, ":")
		if !ok || value != "" && value[0] != ' ' && value[0] != '\t' {
			key, value = "", rest // the line is an item of a list
		}
		key = strings.Trim(key, `"' `)
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent &&
			!(stack[len(stack)-1].key == "-" && stack[len(stack)-1].indent < indent) {
			stack = stack[:len(stack)-1]
		}
		if key != "" {
			stack = append(stack, level{indent: indent, key: key})
		}
		value = strings.TrimSpace(value)
		if i := strings.Index(value, " #"); i >= 0 {
			value = strings.TrimSpace(value[:i])
		}
		if value = strings.Trim(value, `"'`); value == "" || value == "|" || value == ">" {
			continue
		}
		l := leaf{value: value, at: start + len(line) - len(strings.TrimLeft(line, " "))}
		for _, s := range stack {
			if s.key != "-" {
				l.keys = append(l.keys, s.key)
			}
		}
		out = append(out, l)
	}
	return out
}

// jsonLeaves reads JSON that may have comments and trailing commas. It ignores the text after a syntax
// error.
func jsonLeaves(text []byte) (out []leaf) {
	if plain, ok := configtree.Plain(text); ok {
		text = plain
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var keys []string
	var walk func() bool
	walk = func() bool {
		t, err := d.Token()
		if err != nil {
			return false
		}
		switch v := t.(type) {
		case json.Delim:
			for d.More() {
				if v == '{' {
					k, err := d.Token()
					name, ok := k.(string)
					if err != nil || !ok {
						return false
					}
					keys = append(keys, name)
				}
				if !walk() {
					return false
				}
				if v == '{' {
					keys = keys[:len(keys)-1]
				}
			}
			_, err := d.Token()
			return err == nil
		case string:
			out = append(out, leaf{append([]string(nil), keys...), v, max(0, int(d.InputOffset())-len(v)-1)})
		}
		return true
	}
	walk()
	return out
}
