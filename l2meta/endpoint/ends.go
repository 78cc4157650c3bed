package endpoint

import (
	"slices"

	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// ends says which declarations have to do with other services. Most have not, and questions about them
// need no route, request or message of the workspace. It is small and refers to no file, so it is kept when
// those are dropped to free memory.
type ends struct {
	requesting map[declaration]bool     // make a request
	requested  map[declaration]bool     // handle a route, or a path that a request may lead to
	consuming  map[declaration]bool     // handle a message
	carried    map[int64]bool           // ids of the files that publish to a topic given to their writer
	serves     map[declaration][]string // see Serves
}

// declaration identifies a declaration by the id of its file and its index in the file.
type declaration struct {
	file  int64
	index int
}

func declarationOf(ref resolve.Ref) declaration { return declaration{ref.File.ID, ref.Index} }

type endsKey struct{}

// ends returns the ends of the workspace; nil if Prepare has not computed them for this generation of the index.
func (ws *workspace) ends() *ends {
	e, _ := resolve.Pinned[*ends](ws.w, endsKey{})
	return e
}

// prepareEnds computes the ends of the workspace for the questions that follow.
func (j *Joiner) prepareEnds() {
	if j.ends() != nil {
		return
	}
	e := &ends{requesting: map[declaration]bool{}, requested: map[declaration]bool{}, consuming: map[declaration]bool{},
		carried: map[int64]bool{}, serves: map[declaration][]string{}}
	for _, x := range j.http.sent.fetches() {
		e.requesting[declarationOf(x.caller())] = true
	}
	serve := func(ref resolve.Ref, via string) {
		if at := declarationOf(ref); !slices.Contains(e.serves[at], via) {
			e.serves[at] = append(e.serves[at], via)
		}
	}
	for _, r := range j.http.routes() {
		if h, _ := j.http.handler(r); h.Valid() {
			e.requested[declarationOf(h)] = true
			if j.http.handles(h, r) {
				serve(h, r.via())
			}
		}
	}
	for _, r := range j.http.entries() {
		if h, _ := j.http.handler(r); h.Valid() {
			e.requested[declarationOf(h)] = true
		}
	}
	for _, c := range j.messages.messages(l2meta.RoleConsume) {
		if h := j.messages.handlerOf(c); h.Valid() {
			e.consuming[declarationOf(h)] = true
			if j.messages.consumes(c, h) {
				serve(h, c.via())
			}
		}
	}
	for h := range j.messages.twins().handlers {
		e.consuming[declarationOf(h)] = true
	}
	for id := range j.messages.carried(l2meta.RolePublish).by {
		e.carried[id] = true
	}
	if j.w.Err() == nil {
		resolve.Pin(j.w, endsKey{}, e)
	}
}
