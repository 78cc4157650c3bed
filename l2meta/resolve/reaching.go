package resolve

// World returns what the resolver resolves on, for joins that are no calls: those
// between services. It is the resolver's, and lives as long.
func (r *Resolver) World() *World { return r.w }

type reachingKey string

// Reaching returns the ids of the files with an endpoint of a role (l2meta.Role…),
// in order. No call is settled by it, so the ledger takes no note of it.
func (w *World) Reaching(role string) []int64 {
	return w.ids(reachingKey(role), func() ([]int64, error) {
		return w.index.Reaching(w.ctx, w.view, role)
	})
}

type tellingKey struct{ role, name string }

// Telling returns the ids of the files with an endpoint of a role that is of a name,
// as Reaching does: l2meta.RoleText of a constant, l2meta.RolePass of a callee.
func (w *World) Telling(role, name string) []int64 {
	return w.ids(tellingKey{role, name}, func() ([]int64, error) {
		return w.index.Telling(w.ctx, w.view, role, name)
	})
}
