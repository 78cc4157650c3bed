// Package data holds the languages of which symbols are known and no calls:
// style sheets, pages, manifests, schemas and prose.
//
// What is hard: most have dialects that no grammar parses all of. SQL is read
// statement by statement from the text, so that one of an unknown dialect costs
// itself alone; YAML is read by indentation, since templates stand in it; the
// headings of Markdown span what follows them. Scripts and styles within a page
// are handed to the rules of their own language.
package data
