package mcp

import (
	"strings"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

// render encodes an answer in the format that the request sets.
func render(req contract.Request, answer any) (reply, error) {
	if req.Want().Format == contract.FormatText {
		text, err := compact.Text(req, answer)
		return reply{text: text}, err
	}
	switch a := answer.(type) {
	case contract.ListAnswer:
		structured, err := contract.Encode(a)
		return reply{text: a.Markdown(), structured: structured}, err
	case *contract.ReadAnswer:
		if a.Plain && a.Status == contract.StatusOK {
			return reply{text: string(a.Text) + a.Continuation}, nil
		}
	}
	text, err := contract.Encode(answer)
	return reply{text: string(text), structured: text}, err
}

// rendered renders an answer. If the request has debug set, it adds the number of tokens of the
// answer without its debugging data: in the hints of a JSON answer, or as the last line of a text
// answer.
func (s *Server) rendered(req contract.Request, answer any) (result reply, err error) {
	hints := hintsOf(answer)
	search, ranked := debugOf(hints)
	if ranked {
		(*hints).Debug = nil
	}
	plain, err := render(req, answer)
	if err != nil || !ranked && !req.Want().Debug {
		return plain, err
	}
	cost := s.cost(answer, plain)
	defer func() { result.cost = &cost }()
	switch {
	case ranked:
		search.Tokens = cost
		(*hints).Debug = search
		return render(req, answer)
	case hints != nil && plain.structured != nil:
		if *hints == nil {
			*hints = &contract.Hints{}
		}
		(*hints).Debug = &contract.Debug{Tokens: cost}
		return render(req, answer)
	}
	line, err := contract.Encode(&contract.Debug{Tokens: cost})
	if !strings.HasSuffix(plain.text, "\n") {
		plain.text += "\n"
	}
	plain.text += "debug: " + string(line) + "\n"
	return plain, err
}

// hintsOf returns a pointer to the Hints field of an answer, or nil if its type has none.
func hintsOf(answer any) **contract.Hints {
	switch a := answer.(type) {
	case *contract.SearchAnswer:
		return &a.Hints
	case *contract.OutlineAnswer:
		return &a.Hints
	case *contract.GraphAnswer:
		return &a.Hints
	case *contract.ReadAnswer:
		return &a.Hints
	case *contract.ManageAnswer:
		return &a.Hints
	}
	return nil
}

// debugOf returns the debugging data of a search.
func debugOf(hints **contract.Hints) (d *contract.SearchDebug, ok bool) {
	if hints == nil || *hints == nil {
		return nil, false
	}
	d, ok = (*hints).Debug.(*contract.SearchDebug)
	return d, ok
}
