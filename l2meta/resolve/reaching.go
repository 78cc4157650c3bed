package resolve

// World returns the resolver's world, for joins between services, which are no calls. It lives as
// long as the resolver.
func (r *Resolver) World() *World { return r.w }

type reachingKey string

// Reaching returns the ids of the files with an endpoint of a role (l2meta.Role…), in order. No
// verdict depends on it, so its look-ups are not recorded.
func (w *World) Reaching(role string) []int64 {
	return w.ids(reachingKey(role), func() ([]int64, error) {
		return w.index.Reaching(w.ctx, w.view, role)
	})
}

type tellingKey struct{ role, name string }

// Telling returns the ids of the files with an endpoint of a role and a name, as Reaching does: the
// constant of l2meta.RoleText, the callee of l2meta.RolePass.
func (w *World) Telling(role, name string) []int64 {
	return w.ids(tellingKey{role, name}, func() ([]int64, error) {
		return w.index.Telling(w.ctx, w.view, role, name)
	})
}

type passingKey string

// Passing returns the ids of the files that give a call a path whose last step is the given one, as Reaching does.
func (w *World) Passing(step string) []int64 {
	return w.ids(passingKey(step), func() ([]int64, error) {
		return w.index.Passing(w.ctx, w.view, step)
	})
}
