package symbols

import (
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
)

// ReadUntracked prints lines of a file that belongs to no codebase. It indexes nothing, as no other
// file of that folder may ever be requested.
func (s *Service) ReadUntracked(req contract.ReadRequest) (*contract.ReadAnswer, error) {
	a := &contract.ReadAnswer{Path: req.Path, File: req.Path, Mode: req.Mode}
	text, row, err := s.Roots.ReadUntracked(req.Path)
	if err != nil {
		a.Outcome, err = engine.Unreadable(req.Path, &engine.Parsed{Row: row}, err)
		return a, err
	}
	a.Status = contract.StatusOK
	s.showLines(a, &req, text, contract.LineSpan{StartLine: req.StartLine, EndLine: req.EndLine})
	return a, nil
}
