package lang

import (
	"slices"
	"testing"
)

func TestDetect(t *testing.T) {
	for p, want := range map[string]string{
		"a/b/main.go": "go", "A.PY": "python", "x/Dockerfile": "dockerfile", "Dockerfile.dev": "dockerfile",
		"web/app.tsx": "typescript", "api.d.ts": "typescript", "Makefile": "makefile", "types.h": "c", "noext": "",
		"data.bin": "",
	} {
		l, ok := Detect(p)
		if got := nameOf(l, ok); got != want {
			t.Errorf("Detect(%q) = %q, want %q", p, got, want)
		}
	}
}

func TestInTemplate(t *testing.T) {
	for p, want := range map[string]string{
		"views/show.html.erb": "ruby", "Index.CSHTML": "csharp", "page.heex": "elixir", "page.html": "", "erb": "",
	} {
		l, ok := InTemplate(p)
		if got := nameOf(l, ok); got != want {
			t.Errorf("InTemplate(%q) = %q, want %q", p, got, want)
		}
	}
}

func TestDetectText(t *testing.T) {
	for head, want := range map[string]string{
		"#!/bin/sh\n": "bash", "#!/usr/bin/env -S python3.11 -u\nx": "python", "#!/usr/bin/env node": "javascript",
		"#!": "", "plain": "", "#!/usr/bin/env": "",
	} {
		l, ok := DetectText("bin/tool", []byte(head))
		if got := nameOf(l, ok); got != want {
			t.Errorf("DetectText(%q) = %q, want %q", head, got, want)
		}
	}
}

// TestScriptThatIsXML checks that a text decides whether a file called app_de.ts is a script.
func TestScriptThatIsXML(t *testing.T) {
	for head, want := range map[string]string{
		"<?xml version=\"1.0\"?>\n<!DOCTYPE TS>": "xml", "\ufeff\n<!DOCTYPE TS>\n<TS>": "xml",
		"const x = <div/>;": "typescript", "<T>(x: T) => x;": "typescript", "": "typescript",
	} {
		l, ok := DetectText("share/app_de.ts", []byte(head))
		if got := nameOf(l, ok); got != want {
			t.Errorf("DetectText(%q) = %q, want %q", head, got, want)
		}
	}
	if l, _ := DetectText("feed.php", []byte("<?xml version=\"1.0\"?>\n<?php f();")); l.Name != "php" {
		t.Errorf("a script of PHP that writes XML is %s", l.Name)
	}
}

// TestTableHasNoClashes checks that no extension, file name or name belongs to two languages. Otherwise
// detection would depend on the order of the table.
func TestTableHasNoClashes(t *testing.T) {
	seen := map[string]string{}
	for _, l := range All() {
		for _, key := range slices.Concat(prefixed("ext:", l.Extensions), prefixed("file:", l.Filenames),
			prefixed("name:", append(l.Aliases, l.Name))) {
			if other, dup := seen[key]; dup {
				t.Errorf("%s is claimed by %s and %s", key, other, l.Name)
			}
			seen[key] = l.Name
		}
	}
	if !slices.IsSortedFunc(All(), func(a, b Language) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	}) {
		t.Error("table is not ordered by name")
	}
}

func prefixed(p string, in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = p + s
	}
	return out
}

func nameOf(l *Language, ok bool) string {
	if !ok {
		return ""
	}
	return l.Name
}
