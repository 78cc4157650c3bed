package services

import "sextant/internal/code"

// ReaderOf returns a reader of a file's expressions that knows no idioms of its language.
func ReaderOf(f *code.File) *Reader {
	return newReader(newFolder(f), &Idioms{})
}
