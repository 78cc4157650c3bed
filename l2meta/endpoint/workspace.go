package endpoint

import (
	"sextant/l2meta/resolve"
)

// workspace is a snapshot of the index with the services of its root. It finds declarations that
// the rules of every transport look up.
type workspace struct {
	r     *resolve.Resolver
	w     *resolve.World
	known func() []Service
}

type servicesKey struct{}

// services returns the ordered services, computed once per generation, none once the context has
// ended. The manifests that declare them are files of the index.
func (ws *workspace) services() *serviceList {
	s := resolve.Derive(ws.w, servicesKey{}, func() *serviceList { return newServiceList(ws.known()) })
	if s == nil {
		return newServiceList(nil)
	}
	return s
}
