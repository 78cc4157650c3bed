// Package data reads the languages of which Sextant shows symbols but not who calls whom: style
// sheets, pages, manifests, schemas and prose.
//
// Most of them have dialects that no single grammar supports. SQL is read statement by statement
// from the text, so that an unknown statement does not affect others. YAML is read by indentation,
// since files may contain templates. A Markdown heading spans the section below it. Scripts and
// styles within a page are passed to the rules of their own language.
package data
