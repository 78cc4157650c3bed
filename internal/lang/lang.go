// Package lang is the table of languages. It detects the language of a file
// from its name or first line, and says how deeply Sextant understands that
// language. It knows names, extensions and comments only; grammars and rules live in
// l2meta/languages, the launch descriptions of language servers in l3lsp.
//
// To add a language, add one row here and one package in l2meta/languages.
package lang

import (
	"bytes"
	"path"
	"strings"
)

// Depth says how far Sextant understands a language.
type Depth uint8

const (
	Text    Depth = iota // text search only
	Symbols              // symbols too
	Calls                // symbols and call sites
)

// Language is one row of the table.
type Language struct {
	Name       string   // the name used in answers and in lang: filters
	Depth      Depth    // how far it is understood
	Program    bool     // a programming language whose calls are not resolved
	Extensions []string // lower case, without the dot
	Filenames  []string // exact base names, lower case
	Aliases    []string // further names accepted in lang: filters
	Templates  []string // extensions of templates whose embedded code is in the language
	// whether a line that starts with "#" is a directive, an attribute, an id or a heading, rather
	// than a comment
	HashIsCode bool
}

// table lists the languages by name. If a file name matches one row and its extension another,
// the file name wins.
var table = []Language{
	{Name: "bash", Depth: Symbols, Program: true, Extensions: []string{"sh", "bash", "zsh", "ksh", "bats"},
		Filenames: []string{".bashrc", ".profile", ".bash_profile", ".zshrc"}, Aliases: []string{"shell", "sh"}},
	{Name: "c", Depth: Calls, Extensions: []string{"c", "h"}, HashIsCode: true},
	{Name: "cpp", Depth: Calls, Extensions: []string{"cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl",
		"tpp", "cu", "cuh"}, Aliases: []string{"c++"}, HashIsCode: true},
	{Name: "csharp", Depth: Calls, Extensions: []string{"cs", "csx"}, Aliases: []string{"c#", "cs"},
		Templates: []string{"cshtml", "razor"}, HashIsCode: true},
	{Name: "css", Depth: Symbols, Extensions: []string{"css", "scss", "less"}, HashIsCode: true},
	{Name: "dockerfile", Depth: Symbols, Extensions: []string{"dockerfile"},
		Filenames: []string{"dockerfile", "containerfile"}},
	{Name: "elixir", Depth: Calls, Extensions: []string{"ex", "exs"}, Templates: []string{"eex", "leex", "heex"}},
	{Name: "go", Depth: Calls, Extensions: []string{"go"}, Aliases: []string{"golang"}},
	{Name: "gomod", Depth: Text, Filenames: []string{"go.mod", "go.work"}},
	{Name: "graphql", Depth: Text, Extensions: []string{"graphql", "gql", "graphqls"}},
	{Name: "hcl", Depth: Symbols, Extensions: []string{"hcl", "tf", "tfvars"}, Aliases: []string{"terraform"}},
	{Name: "html", Depth: Symbols, Extensions: []string{"html", "htm", "xhtml", "gohtml", "ejs", "hbs",
		"handlebars", "mustache", "njk", "jinja", "jinja2"}},
	{Name: "java", Depth: Calls, Extensions: []string{"java"}, Templates: []string{"jsp"}},
	{Name: "javascript", Depth: Calls, Extensions: []string{"js", "jsx", "mjs", "cjs"}, Aliases: []string{"js", "jsx"},
		Templates: []string{"ejs"}},
	{Name: "json", Depth: Text, Extensions: []string{"json", "jsonc", "json5", "webmanifest"}},
	{Name: "kotlin", Depth: Calls, Extensions: []string{"kt", "kts"}, Aliases: []string{"kt"}},
	{Name: "lua", Depth: Symbols, Program: true, Extensions: []string{"lua"}},
	{Name: "makefile", Depth: Text, Extensions: []string{"mk", "mak"}, Filenames: []string{"makefile", "gnumakefile"}},
	{Name: "markdown", Depth: Symbols, Extensions: []string{"md", "markdown", "mdx"}, Aliases: []string{"md"},
		HashIsCode: true},
	{Name: "php", Depth: Calls, Extensions: []string{"php", "phtml"}},
	{Name: "protobuf", Depth: Symbols, Extensions: []string{"proto"}, Aliases: []string{"proto"}},
	{Name: "python", Depth: Calls, Extensions: []string{"py", "pyi", "pyw"},
		Filenames: []string{"sconstruct", "sconscript", "wscript"}, Aliases: []string{"py"}},
	{Name: "ruby", Depth: Calls, Extensions: []string{"rb", "rake", "gemspec", "ru"},
		Filenames: []string{"gemfile", "rakefile", "vagrantfile", "podfile"}, Aliases: []string{"rb"},
		Templates: []string{"erb", "haml", "slim"}},
	{Name: "rust", Depth: Calls, Extensions: []string{"rs"}, Aliases: []string{"rs"}, HashIsCode: true},
	{Name: "scala", Depth: Calls, Extensions: []string{"scala", "sc", "sbt"}},
	{Name: "sql", Depth: Symbols, Extensions: []string{"sql"}},
	{Name: "svelte", Depth: Calls, Extensions: []string{"svelte"}},
	{Name: "swift", Depth: Symbols, Program: true, Extensions: []string{"swift"}},
	{Name: "text", Depth: Text, Extensions: []string{"txt", "rst", "adoc", "log"},
		Filenames: []string{"readme", "license", "copying", "authors", "changelog", "notice"}},
	{Name: "toml", Depth: Symbols, Extensions: []string{"toml"},
		Filenames: []string{"pipfile", "cargo.lock", "poetry.lock"}},
	{Name: "typescript", Depth: Calls, Extensions: []string{"ts", "mts", "cts", "tsx"}, Aliases: []string{"ts", "tsx"}},
	{Name: "vue", Depth: Calls, Extensions: []string{"vue"}},
	{Name: "xml", Depth: Text, Extensions: []string{"xml", "xsd", "xsl", "svg", "csproj", "fsproj", "vbproj", "props",
		"targets", "plist"}},
	{Name: "yaml", Depth: Symbols, Extensions: []string{"yaml", "yml"}, Aliases: []string{"yml"}},
}

// byExtension, byFilename, byName and byTemplate index table by its keys. They are
// read-only.
var byExtension, byFilename, byName, byTemplate = index()

func index() (ext, file, name, template map[string]*Language) {
	ext, file, name = map[string]*Language{}, map[string]*Language{}, map[string]*Language{}
	template = map[string]*Language{}
	for i := range table {
		l := &table[i]
		name[l.Name] = l
		for _, a := range l.Aliases {
			name[a] = l
		}
		for _, e := range l.Extensions {
			ext[e] = l
		}
		for _, f := range l.Filenames {
			file[f] = l
		}
		for _, e := range l.Templates {
			template[e] = l
		}
	}
	return ext, file, name, template
}

// All returns every language, ordered by name. Callers must not modify the
// slice.
func All() []Language { return table }

// ByName returns the language with that name or alias, in any case. It reports
// false if there is none.
func ByName(name string) (*Language, bool) {
	l, ok := byName[strings.ToLower(name)]
	return l, ok
}

// Detect returns the language of the file at p, judged by its name alone. It
// reports false for an unknown name.
func Detect(p string) (*Language, bool) {
	base := strings.ToLower(path.Base(p))
	if l, ok := byFilename[base]; ok {
		return l, true
	}
	// If the extension is unknown, the part before the dot names the language: Dockerfile.dev,
	// Makefile.am.
	stem, ext, dotted := cutLast(base)
	if !dotted {
		return nil, false
	}
	if l, ok := byExtension[ext]; ok {
		return l, true
	}
	if l, ok := byFilename[stem]; ok && (stem == "dockerfile" || stem == "makefile" || stem == "containerfile") {
		return l, true
	}
	return nil, false
}

// InTemplate returns the language of the code in the template at p, judged by its name: Ruby for show.html.erb.
// It reports false if p names no template of a known language.
func InTemplate(p string) (*Language, bool) {
	_, ext, _ := cutLast(strings.ToLower(path.Base(p)))
	l, ok := byTemplate[ext]
	return l, ok
}

// cutLast cuts a base name around its last dot. ok is false if it has none.
func cutLast(base string) (stem, ext string, ok bool) {
	i := strings.LastIndexByte(base, '.')
	if i < 0 {
		return base, "", false
	}
	return base[:i], base[i+1:], true
}

// shebangs maps interpreters to languages, for files whose names do not tell the language.
var shebangs = map[string]string{
	"sh": "bash", "bash": "bash", "zsh": "bash", "dash": "bash", "ksh": "bash",
	"python": "python", "python2": "python", "python3": "python",
	"node": "javascript", "deno": "typescript", "bun": "typescript",
	"ruby": "ruby", "php": "php", "lua": "lua", "elixir": "elixir",
}

// DetectText returns the language of the file at p. If its name is unknown, the "#!" line in head, the start of
// the text, names the interpreter: "#!/usr/bin/env python3" means python. A file with the name of a script
// whose text begins as XML is XML: the translations of Qt are called app_de.ts.
func DetectText(p string, head []byte) (*Language, bool) {
	if l, ok := Detect(p); ok {
		if (l.Name == "typescript" || l.Name == "javascript") && startsXML(head) {
			return ByName("xml")
		}
		return l, true
	}
	if len(head) < 3 || head[0] != '#' || head[1] != '!' {
		return nil, false
	}
	line, _, _ := strings.Cut(string(head[2:min(len(head), 200)]), "\n")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return nil, false
	}
	prog := path.Base(fields[0])
	for _, f := range fields[1:] {
		if prog != "env" {
			break
		}
		if !strings.HasPrefix(f, "-") && !strings.Contains(f, "=") {
			prog = path.Base(f)
		}
	}
	return ByName(shebangs[strings.TrimRight(prog, ".0123456789")])
}

// startsXML reports whether a text begins with the declaration of XML or of a document
// type, as only XML and HTML do.
func startsXML(head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	return bytes.HasPrefix(head, []byte("<?xml")) || bytes.HasPrefix(head, []byte("<!DOCTYPE"))
}
