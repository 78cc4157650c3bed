package endpoint

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

type portsKey struct{}

// listening returns the service whose code serves at a port of the developer's machine, and the
// file that says so; ok is false if none does, or several.
func (nw *network) listening(port string) (root, file string, ok bool) {
	at := resolve.Derive(nw.w, portsKey{}, func() map[string]networkName {
		ports := map[string]networkName{}
		for _, f := range nw.files(l2meta.RoleHost) {
			if f.Class == code.ClassTest {
				continue
			}
			for _, fact := range endpoints(f, l2meta.RoleHost) {
				port, is := strings.CutPrefix(fact.Type, "port ")
				if !is {
					continue
				}
				here := networkName{nw.services().root(f.Path), f.Path}
				if known, taken := ports[port]; taken && known.root != here.root {
					here = networkName{}
				}
				ports[port] = here
			}
		}
		return ports
	})[port]
	return at.root, at.file, at.root != ""
}
