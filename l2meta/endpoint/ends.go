package endpoint

import (
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// ends holds the edges between services of the whole workspace by the declarations at their ends. Most
// declarations have none. To find the edges of one takes all routes, requests and messages of the workspace,
// which are dropped to free memory. The edges refer to no file, so they are kept.
type ends struct {
	requests  map[declaration][]pinnedCrossing // by caller, see httpJoiner.requests
	answers   map[declaration][]pinnedCrossing // by handler, see httpJoiner.requesters
	published map[declaration][]pinnedCrossing // by consumer, see messageJoiner.publishers
	carried   map[int64]bool                   // ids of the files that publish to a topic given to their writer
	serves    map[declaration][]Served         // see Serves
}

// declaration identifies a declaration by the id of its file and its index in the file. The zero declaration
// is none.
type declaration struct {
	file  int64
	index int
}

func declarationOf(ref resolve.Ref) declaration {
	if ref.File == nil {
		return declaration{}
	}
	return declaration{ref.File.ID, ref.Index}
}

// pinnedCrossing is a Crossing that refers to no File: its fields File, Caller and Handler are zero.
type pinnedCrossing struct {
	Crossing
	file            int64 // the id of File
	caller, handler declaration
}

func pinned(list []Crossing) []pinnedCrossing {
	out := make([]pinnedCrossing, len(list))
	for i, c := range list {
		p := pinnedCrossing{c, c.File.ID, declarationOf(c.Caller), declarationOf(c.Handler)}
		p.File, p.Caller, p.Handler = nil, resolve.Ref{}, resolve.Ref{}
		// These texts may be parts of a text with all facts of a file.
		p.Call.Callee, p.Call.Receiver, p.Via = strings.Clone(p.Call.Callee), strings.Clone(p.Call.Receiver),
			strings.Clone(p.Via)
		out[i] = p
	}
	return out
}

// unpinned returns the crossings that pinned converted. After an error of the snapshot it returns nil.
func (ws *workspace) unpinned(list []pinnedCrossing) []Crossing {
	refTo := func(d declaration) (ref resolve.Ref) {
		if f := ws.w.ByID(d.file); f != nil {
			ref = f.Ref(d.index)
		}
		return ref
	}
	var out []Crossing
	for i := range list {
		c := list[i].Crossing
		c.File, c.Caller = ws.w.ByID(list[i].file), refTo(list[i].caller)
		if list[i].handler.file != 0 {
			c.Handler = refTo(list[i].handler)
		}
		out = append(out, c)
	}
	if ws.w.Err() != nil {
		return nil
	}
	return out
}

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
	e := &ends{requests: map[declaration][]pinnedCrossing{}, answers: map[declaration][]pinnedCrossing{},
		published: map[declaration][]pinnedCrossing{}, carried: map[int64]bool{}, serves: map[declaration][]Served{}}
	serving, consuming := j.prepareServed(e)
	all := j.http.allRequests()
	for caller, list := range all.by {
		if len(list) > 0 {
			e.requests[declarationOf(caller)] = pinned(list)
		}
	}
	for handler, list := range all.to {
		if serving[handler] {
			e.answers[declarationOf(handler)] = pinned(list)
		}
	}
	for handler, list := range j.messages.publications() {
		if consuming[handler] || j.messages.twins().handlers[handler] {
			e.published[declarationOf(handler)] = pinned(list)
		}
	}
	for id := range j.messages.carried(l2meta.RolePublish).by {
		e.carried[id] = true
	}
	if j.w.Err() == nil {
		resolve.Pin(j.w, endsKey{}, e)
	}
}

// prepareServed fills in e.serves. It returns the declarations that handle routes or entries, and those that
// consume messages.
func (j *Joiner) prepareServed(e *ends) (serving, consuming map[resolve.Ref]bool) {
	serving, consuming = map[resolve.Ref]bool{}, map[resolve.Ref]bool{}
	add := func(ref resolve.Ref, s Served) {
		at := declarationOf(ref)
		e.serves[at] = added(e.serves[at], s)
	}
	for _, r := range j.http.routes() {
		if h, _ := j.http.handler(r); h.Valid() && j.http.handles(h, r) {
			serving[h] = true
			add(h, servedAt(r.via(), r.file, r.at))
		}
	}
	for _, c := range j.messages.messages(l2meta.RoleConsume) {
		if h := j.messages.handlerOf(c); h.Valid() && j.messages.consumes(c, h) {
			consuming[h] = true
			add(h, servedAt(c.via(), c.file, c.at))
		}
	}
	for _, r := range j.http.entries() {
		if h, _ := j.http.handler(r); h.Valid() && j.http.handles(h, r) {
			serving[h] = true
		}
	}
	return serving, consuming
}
