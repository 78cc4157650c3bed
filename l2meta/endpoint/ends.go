package endpoint

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// ends holds the edges between services of the whole workspace by the declarations at their ends.
// Most declarations have none. Finding the edges of one requires all routes, requests and
// messages of the workspace, which are dropped to free memory. The edges refer to no file, so
// they are kept, and can be stored (Joiner.Pack).
type ends struct {
	Requests  map[declaration][]pinnedCrossing // caller → result of httpJoiner.requests
	Answers   map[declaration][]pinnedCrossing // handler → result of httpJoiner.requesters
	Sent      map[declaration][]pinnedCrossing // publisher → result of messageJoiner.published
	Published map[declaration][]pinnedCrossing // consumer → result of messageJoiner.publishers
	Serves    map[declaration][]Served         // declaration → result of Joiner.Serves

	Helpers map[declaration]bool    // functions whose calls count as publications instead; see messageJoiner.isHelper
	Handing map[declaration]handing // function → result of messageJoiner.treats
	Placed  map[callAtByte]bool     // calls that publish a message; see messageJoiner.isPublication
}

func newEnds() *ends {
	edges := func() map[declaration][]pinnedCrossing { return map[declaration][]pinnedCrossing{} }
	return &ends{Requests: edges(), Answers: edges(), Sent: edges(), Published: edges(),
		Serves: map[declaration][]Served{}, Helpers: map[declaration]bool{},
		Handing: map[declaration]handing{}, Placed: map[callAtByte]bool{}}
}

// declaration identifies a declaration by the id of its file and its index in the file. The zero
// value means no declaration.
type declaration struct {
	File  int64
	Index int
}

func declarationOf(ref resolve.Ref) declaration {
	if ref.File == nil {
		return declaration{}
	}
	return declaration{ref.File.ID, ref.Index}
}

// pinnedCrossing is a Crossing with ids instead of Files.
type pinnedCrossing struct {
	Kind                         code.EdgeKind
	File                         int64
	Call                         code.Call
	Caller, Handler              declaration
	At                           code.Span
	Why                          string
	Outside                      bool
	Via                          string
	Confidence                   float64
	Strategy, Provenance, Shared string // Shared is Crossing.together
	Rests                        []string
}

func pinned(list []Crossing) []pinnedCrossing {
	out := make([]pinnedCrossing, len(list))
	for i, c := range list {
		// These texts may be parts of a text with all facts of a file.
		c.Call.Callee, c.Call.Receiver = strings.Clone(c.Call.Callee), strings.Clone(c.Call.Receiver)
		out[i] = pinnedCrossing{Kind: c.Kind, File: c.File.ID, Call: c.Call, Caller: declarationOf(c.Caller),
			Handler: declarationOf(c.Handler), At: c.At, Why: c.Why, Outside: c.Outside, Via: strings.Clone(c.Via),
			Confidence: c.Confidence, Strategy: c.Strategy, Provenance: c.Provenance, Shared: c.together,
			Rests: c.Rests}
	}
	return out
}

// unpinned returns the crossings that pinned converted. After an error of the snapshot it returns nil.
func unpinned(ws *lookup.Workspace, list []pinnedCrossing) (out []Crossing) {
	refTo := func(d declaration) (ref resolve.Ref) {
		if f := ws.World.ByID(d.File); f != nil {
			ref = f.Ref(d.Index)
		}
		return ref
	}
	for i := range list {
		p := &list[i]
		c := Crossing{Kind: p.Kind, File: ws.World.ByID(p.File), Call: p.Call, Caller: refTo(p.Caller), At: p.At,
			Why: p.Why, Outside: p.Outside, Via: p.Via, Confidence: p.Confidence, Strategy: p.Strategy,
			Provenance: p.Provenance, Rests: p.Rests, together: p.Shared}
		if p.Handler.File != 0 {
			c.Handler = refTo(p.Handler)
		}
		out = append(out, c)
	}
	if ws.World.Err() != nil {
		return nil
	}
	return out
}

type endsKey struct{}

// keptEnds returns the ends of the workspace; nil if Prepare has not computed them for this generation of the index.
func keptEnds(ws *lookup.Workspace) *ends {
	e, _ := resolve.Pinned[*ends](ws.World, endsKey{})
	return e
}

// prepareEnds computes the ends of the workspace for the questions that follow.
func (j *Joiner) prepareEnds() {
	if keptEnds(j.Workspace) != nil {
		return
	}
	e := newEnds()
	serving, consuming := j.prepareServed(e)
	all := j.http.allRequests()
	for caller, list := range all.by {
		if len(list) > 0 {
			e.Requests[declarationOf(caller)] = pinned(list)
		}
	}
	for handler, list := range all.to {
		if serving[handler] {
			e.Answers[declarationOf(handler)] = pinned(list)
		}
	}
	j.messages.prepareEnds(e, consuming)
	if j.World.Err() == nil {
		resolve.Pin(j.World, endsKey{}, e)
	}
}

// prepareEnds fills in the parts of e that concern messages. consuming holds the declarations that consume some.
func (mj *messageJoiner) prepareEnds(e *ends, consuming map[resolve.Ref]bool) {
	all := mj.publications()
	for caller, list := range all.by {
		e.Sent[declarationOf(caller)] = pinned(list)
	}
	for handler, list := range all.to {
		if consuming[handler] || mj.twins().handlers[handler] {
			e.Published[declarationOf(handler)] = pinned(list)
		}
	}
	for _, r := range []relays{mj.relayed(l2meta.RolePublish), mj.carried(l2meta.RolePublish)} {
		for ref := range r.helpers {
			e.Helpers[declarationOf(ref)] = true
		}
	}
	for _, f := range mj.speaking(l2meta.RolePublish) {
		by := map[resolve.Ref]bool{}
		for _, m := range mj.messagesOf(f, l2meta.RolePublish) {
			by[m.caller()] = true
			if mj.isPublication(m) {
				e.Placed[callAtByte{m.file.ID, m.at.StartByte}] = true
			}
		}
		for _, fact := range lookup.Endpoints(f, l2meta.RolePublish) {
			by[f.Ref(f.Callable(fact.Owner))] = true
		}
		for ref := range by {
			if does := mj.treats(ref); does != keeps {
				e.Handing[declarationOf(ref)] = does
			}
		}
	}
	for _, m := range mj.twins().published {
		if len(mj.deliveries(m)) > 0 {
			e.Placed[callAtByte{m.file.ID, m.at.StartByte}] = true
		}
	}
}

// prepareServed fills in e.Serves. It returns the declarations that handle routes or entries, and those that
// consume messages.
func (j *Joiner) prepareServed(e *ends) (serving, consuming map[resolve.Ref]bool) {
	serving, consuming = map[resolve.Ref]bool{}, map[resolve.Ref]bool{}
	add := func(ref resolve.Ref, s Served) {
		at := declarationOf(ref)
		e.Serves[at] = added(e.Serves[at], s)
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

// Prepared reports whether Prepare or Unpack has been called at this generation of the index.
func (j *Joiner) Prepared() bool { return keptEnds(j.Workspace) != nil }

// Pack encodes the edges that Prepare has found, for Unpack. They are valid for one generation of the index and one
// list of services. It returns nil if there are none to encode.
func (j *Joiner) Pack() ([]byte, error) {
	e := keptEnds(j.Workspace)
	if e == nil {
		return nil, nil
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(w).Encode(e)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("pack the links between services: %w", err)
	}
	return b.Bytes(), nil
}

// Unpack gives j the edges that Pack encoded, in place of a call of Prepare. It returns an error
// if data is damaged.
func (j *Joiner) Unpack(data []byte) error {
	e := newEnds()
	if err := gob.NewDecoder(flate.NewReader(bytes.NewReader(data))).Decode(e); err != nil {
		return fmt.Errorf("unpack the links between services: %w", err)
	}
	resolve.Pin(j.World, endsKey{}, e)
	return nil
}
