package impact

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// maxServices bounds the calls from other services that one answer lists.
const maxServices = 20

// crossings returns the calls from other services that lead to the changed symbols, the surest first.
func (found *findings) crossings(of func(file string) jit.Service) (out []*step) {
	for _, s := range found.walk.known {
		across := s.next != nil && (s.kind == code.EdgeHTTP || s.kind == code.EdgeGRPC || s.kind == code.EdgeMessage)
		if across && s.ref.File.Class != code.ClassTest && of(s.ref.File.Path).Name != of(s.next.ref.File.Path).Name {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, compareSteps)
	return out[:min(len(out), maxServices)]
}

// services returns the calls from other services that lead to the changed symbols, in the form that
// answers have.
func (found *findings) services(of func(file string) jit.Service) (out []contract.ConcernedService) {
	for _, s := range found.crossings(of) {
		out = append(out, contract.ConcernedService{Service: of(s.ref.File.Path).Name, Kind: s.kind, Via: s.via,
			File: s.ref.File.Path, Line: s.line,
			To: of(s.next.ref.File.Path).Name})
	}
	return out
}
