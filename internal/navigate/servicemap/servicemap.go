// Package servicemap lists the services of a workspace, the endpoints that they answer, and the
// requests that they send to each other. It matches the requests and endpoints of every file, so it
// costs as much as one call graph for each file. A call graph shows the same links, in both
// directions.
package servicemap

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// sure is the confidence below which a request counts among ServiceLink.Candidates.
const sure = 0.9

// drawing is the state of building one map.
type drawing struct {
	answer   *contract.ServiceMap
	services *jit.Services
	links    map[[3]string]*contract.ServiceLink // by From, To and Kind
}

// Services returns the services of the workspace that contains path, and the calls between them. For a path below
// the root of the workspace, it returns those of narrow. If there is no such workspace, the answer's outcome says so.
func Services(ctx context.Context, e *engine.Engine, path string) (*contract.ServiceMap, error) {
	a := &contract.ServiceMap{Services: []contract.MappedService{}, Links: []contract.ServiceLink{},
		Unanswered: []contract.Unanswered{}}
	p, outcome, _, err := e.Enter(ctx, path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome = outcome
		return a, nil
	}
	a.CodebaseRoot = p.Root.Path()
	sync, err := p.Root.Sync(ctx)
	if err != nil {
		return nil, fmt.Errorf("services: %w", err)
	}
	defer e.Settle(p.Root, sync.Generation)
	err = p.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		d := &drawing{a, services, map[[3]string]*contract.ServiceLink{}}
		return d.read(ctx, v, resolve.New(ctx, v, e.Derived(p.Root), generation))
	})
	if err != nil {
		return nil, fmt.Errorf("services: %w", err)
	}
	a.Status = contract.StatusOK
	if p.Rel != "" {
		narrow(a, p.Rel)
	}
	return a, nil
}

// narrow restricts a map to the services in a folder, or to the one around the folder if there is none in it. It
// keeps their links, their unanswered calls, and the services at the other ends of the links without their routes.
func narrow(a *contract.ServiceMap, folder string) {
	within := map[string]bool{}
	around, found := "", false
	for i := range a.Services {
		switch at := a.Services[i].Path; {
		case code.Within(at, folder):
			within[at] = true
		case code.Within(folder, at) && (!found || len(at) > len(around)):
			around, found = at, true
		}
	}
	if len(within) == 0 && found {
		within[around] = true
	}
	partner := map[string]bool{}
	a.Links = slices.DeleteFunc(a.Links, func(l contract.ServiceLink) bool {
		if !within[l.From] && !within[l.To] {
			return true
		}
		partner[l.From], partner[l.To] = true, true
		return false
	})
	a.Unanswered = slices.DeleteFunc(a.Unanswered, func(u contract.Unanswered) bool { return !within[u.From] })
	a.Services = slices.DeleteFunc(a.Services, func(s contract.MappedService) bool {
		return !within[s.Path] && !partner[s.Path]
	})
	for i := range a.Services {
		if s := &a.Services[i]; !within[s.Path] {
			s.Routes = nil
		}
	}
	a.Within = folder
}

// read adds the services, their endpoints, and the requests between them, from one snapshot of a root's
// index, v, which r reads.
func (d *drawing) read(ctx context.Context, v *jit.View, r *resolve.Resolver) error {
	join := engine.Joiner(r, d.services)
	if err := d.routes(join); err != nil {
		return err
	}
	var ids []int64
	err := v.Files(ctx, func(f jit.FileRow) error {
		ofTests := f.Class == code.ClassTest || f.Class == code.ClassFixture
		if !ofTests && f.Class != code.ClassVendor && f.Skip == "" && f.Language != "" {
			ids = append(ids, f.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		ref, err := r.Symbol(id, -1)
		if err != nil {
			return err
		}
		if ref.File == nil {
			continue
		}
		crossings, err := join.Crossings(ref.File)
		if err != nil {
			return err
		}
		for i := range crossings {
			d.cross(&crossings[i])
		}
	}
	d.finish()
	return nil
}

// routes adds the services to the answer, each with the routes that its files declare.
func (d *drawing) routes(join *endpoint.Joiner) error {
	answers, err := join.Answers()
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i := range d.services.List {
		s := &d.services.List[i]
		row := contract.RootService{Name: s.Name, Path: s.Root, Kind: string(s.Kind), Language: s.Language,
			Languages: s.Languages, Names: s.Names[1:]}
		d.answer.Services = append(d.answer.Services, contract.MappedService{RootService: row})
		at[s.Root] = i
	}
	for _, x := range answers {
		if s := d.services.Of(x.File.Path); s.Name != "" {
			own := &d.answer.Services[at[s.Root]]
			own.Routes = append(own.Routes,
				contract.MappedRoute{Route: x.Via, File: x.File.Path, Line: x.At.StartLine})
		}
	}
	return nil
}

// cross counts a request to another service, or lists it as unanswered if it has no handler. It
// ignores a request to the service itself.
func (d *drawing) cross(x *endpoint.Crossing) {
	from := d.services.Of(x.File.Path).Root
	if !x.Handler.Valid() {
		d.answer.Unanswered = append(d.answer.Unanswered,
			contract.Unanswered{From: from, Kind: string(x.Kind), Via: x.Via,
				File: x.File.Path, Line: x.Call.NameSpan.StartLine, Reason: x.Why})
		return
	}
	to := d.services.Of(x.Handler.File.Path).Root
	if from == to {
		return
	}
	key := [3]string{from, to, string(x.Kind)}
	l := d.links[key]
	if l == nil {
		l = &contract.ServiceLink{From: from, To: to, Kind: string(x.Kind)}
		d.links[key] = l
	}
	l.Calls++
	if x.Confidence < sure {
		l.Candidates++
	}
	if !slices.Contains(l.Via, x.Via) {
		l.Via = append(l.Via, x.Via)
	}
}

// finish adds the links to the answer, and sorts them and the unanswered requests.
func (d *drawing) finish() {
	for _, l := range d.links {
		slices.Sort(l.Via)
		d.answer.Links = append(d.answer.Links, *l)
	}
	slices.SortFunc(d.answer.Links, func(a, b contract.ServiceLink) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortFunc(d.answer.Unanswered, func(a, b contract.Unanswered) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Via, b.Via))
	})
	d.answer.Unanswered = slices.Compact(d.answer.Unanswered)
}
