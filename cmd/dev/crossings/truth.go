package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
)

// truth holds the services of a workspace and the calls between them, as people read them from the
// sources.
type truth struct {
	name     string   // name of the truth's file: owner+name
	root     string   // folder of the repository that is the workspace, "" for all of it
	scope    []string // folders or files whose calls were read, relative to the repository; all if empty
	services []service
	edges    []edge
	right    []edge // optional edges: right if found, but not missed if not
}

// service is a line "service" of a truth. kind is one of package deployable, such as application. aliases are
// the names and addresses by which other services reach it.
type service struct {
	name, root, languages, kind string
	aliases                     []string
}

// edge is a call in one service and the handler in another service that answers
// it.
type edge struct {
	kind          string // http, grpc, message, graphql
	site, handler place
	via           string // the rest of the line: the path, method or topic that the call names; only printed
}

// place is a line of a file, relative to the repository.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

func (e edge) String() string { return fmt.Sprintf("%s %s -> %s %s", e.kind, e.site, e.handler, e.via) }

// read reads a truth: lines "service NAME ROOT LANGUAGES KIND ALIASES" and "KIND SITE -> HANDLER
// VIA", and comments. A space in a path is written %20. A comment "# root: DIR" names the folder
// that is the workspace. A comment with scope in place of root lists the folders whose calls were
// read.
func read(file string) (*truth, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &truth{name: strings.TrimSuffix(path.Base(file), ".txt")}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := t.line(strings.TrimSpace(lines.Text())); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return t, lines.Err()
}

// line adds one line of a truth file. It ignores comments other than root, scope, alt and unclear.
func (t *truth) line(line string) error {
	if rest, ok := strings.CutPrefix(line, "# root:"); ok {
		t.root = strings.Trim(strings.Fields(rest + " .")[0], "/.")
		return nil
	}
	if rest, ok := strings.CutPrefix(line, "# scope:"); ok {
		for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
			if strings.Contains(word, "/") {
				t.scope = append(t.scope, strings.Trim(word, "/"))
			}
		}
		return nil
	}
	list := &t.edges
	for _, mark := range []string{"# alt:", "# unclear:"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			line, list = strings.TrimSpace(rest), &t.right
		}
	}
	if line == "" || line[0] == '#' {
		return nil
	}
	part := strings.Fields(line)
	if part[0] == "service" {
		part = append(part, "", "", "", "", "")
		for _, root := range strings.Split(part[2], ",") {
			t.services = append(t.services,
				service{part[1], spaced(strings.Trim(root, "/.")), part[3], part[4], strings.Split(part[5], ",")})
		}
		return nil
	}
	if len(part) < 4 || part[2] != "->" {
		if list == &t.right {
			return nil // any other comment is prose
		}
		return fmt.Errorf("%q is no edge: want KIND FILE:LINE -> FILE:LINE VIA", line)
	}
	site, err := placeOf(part[1])
	if err != nil && list == &t.edges {
		return err
	}
	handler, err := placeOf(part[3])
	if err != nil && list == &t.edges {
		return err
	}
	*list = append(*list, edge{part[0], site, handler, strings.Join(part[4:], " ")})
	return nil
}

// placeOf parses "FILE:LINE".
func placeOf(text string) (place, error) {
	i := strings.LastIndexByte(text, ':')
	line, err := strconv.Atoi(text[i+1:])
	if i < 0 || err != nil {
		return place{}, fmt.Errorf("%q is no FILE:LINE", text)
	}
	return place{spaced(text[:i]), line}, nil
}

// spaced returns the path that a truth writes with %20 for each space.
func spaced(path string) string { return strings.ReplaceAll(path, "%20", " ") }

// holds reports whether the truth covers the calls in a file.
func (t *truth) holds(file string) bool {
	if len(t.scope) == 0 {
		return true
	}
	for _, s := range t.scope {
		if strings.HasPrefix(file, s+"/") || file == s {
			return true
		}
	}
	return false
}

// service returns the name of the service that a file belongs to, "" for none.
func (t *truth) service(file string) (name string) {
	longest := -1
	for _, s := range t.services {
		if (s.root == "" || file == s.root || strings.HasPrefix(file, s.root+"/")) && len(s.root) > longest {
			name, longest = s.name, len(s.root)
		}
	}
	return name
}
