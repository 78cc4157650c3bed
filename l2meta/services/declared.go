package services

import "sextant/internal/code"

// ReaderOf returns a reader of a file's expressions, without rules for the libraries of the file's language.
func ReaderOf(f *code.File) *Reader {
	return newReader(f, &Idioms{})
}
