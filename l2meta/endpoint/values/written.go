package values

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// The index has the arguments of a call if they may be part of an address or a topic by their form or by a name. A word
// is neither: new Trail(producer, "audit"), new Repository<>(rest, "orders"). If the constructor's parameter turns out
// to be one, the texts of the files that call it are read.

// maxWritten is the largest number of files whose texts are read for the calls of one function.
const maxWritten = 20

type writtenKey struct {
	file  int64
	maker string
}

// written returns the calls that run maker, a constructor or factory function in f, with their arguments as the files'
// texts have them. It returns nil if the function is called in more than maxWritten files, or no texts are known.
func (rd *Reader) written(f *resolve.File, maker string) []Call {
	if rd.Source == nil {
		return nil
	}
	return resolve.Derive(rd.World, writtenKey{f.ID, maker}, func() (out []Call) {
		ids := rd.World.Calling(maker)
		if len(ids) > maxWritten {
			return nil
		}
		for _, id := range ids {
			at, ok := rd.World.Place(id)
			if !ok || at.Class == code.ClassTest {
				continue
			}
			if from := rd.World.Peer(id, f.Language); from != nil {
				out = append(out, rd.writtenIn(from, f, maker)...)
			}
		}
		return out
	})
}

// writtenIn returns the calls in one file that run maker, a constructor or factory function in f.
func (rd *Reader) writtenIn(from, f *resolve.File, maker string) (out []Call) {
	var r *services.Reader
	for _, i := range from.CallsOf(maker) {
		c := &from.Calls()[i]
		fact := &code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Span: c.NameSpan}
		if c.Kind != code.CallPlain && c.Kind != code.CallNew || !rd.makes(from, fact, maker, f) {
			continue
		}
		if r == nil {
			if r = rd.TextReader(from); r == nil {
				return out
			}
		}
		fact.Type = services.Arguments(r, c)
		out = append(out, Call{from, fact})
	}
	return out
}

// TextReader returns a reader of the expressions in a file's text, nil if the text is not known.
func (rd *Reader) TextReader(f *resolve.File) *services.Reader {
	text := rd.Source(f.Path, f.Hash)
	if text == nil {
		return nil
	}
	return services.ReaderOf(&code.File{Path: f.Path, Language: f.Language, Class: f.Class, Text: text,
		Symbols: f.Symbols, Calls: f.Calls(), Facts: f.AllFacts(), Imports: f.Imports})
}
