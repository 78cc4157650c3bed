package resolve

// Pin keeps a value under key for as long as the generation of w is the current one. The value is
// kept even if derived values are dropped to free memory, so it must be small and must not refer
// to a File. Keys of different meaning have different types.
func Pin[K comparable](w *World, key K, value any) {
	w.snap.mu.Lock()
	defer w.snap.mu.Unlock()
	if w.snap.pinned == nil {
		w.snap.pinned = map[any]any{}
	}
	w.snap.pinned[key] = value
}

// Pinned returns the value that Pin kept under key at the generation of w; false if there is none.
func Pinned[V any, K comparable](w *World, key K) (value V, ok bool) {
	w.snap.mu.Lock()
	defer w.snap.mu.Unlock()
	value, ok = w.snap.pinned[key].(V)
	return value, ok
}
