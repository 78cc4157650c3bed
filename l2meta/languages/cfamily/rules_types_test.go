package cfamily

import "testing"

func TestTakeType(t *testing.T) {
	for _, c := range []struct {
		text, base, args string
		pointer          bool
	}{
		{"K", "K", "", false}, {"const K &", "K", "", false}, {"struct K *", "K", "", true}, {"K**", "K", "", true},
		{"K [3]", "K", "", true}, {"K *[]", "K", "", true}, {"a::K", "a::K", "", false}, {"K<V>", "K", "V", false},
		{"const a::B<C, D<E>> *", "a::B", "C, D<E>", true}, {"std::vector<K>::iterator", "", "", false},
		{"unsigned int", "", "", false}, {"K (*)(int)", "", "", false}, {"", "", "", false}, {"typename K", "K", "", false},
		{"K<V", "K<V", "", false}, {"static constexpr K", "K", "", false}, {"K [N + 1]", "K", "", true},
		{"K\t&&", "K", "", false}, {"<K>", "<K>", "", false}, {"std::map<K *, V> &", "std::map", "K *, V", false},
	} {
		if base, args, pointer := takeType(c.text); base != c.base || args != c.args || pointer != c.pointer {
			t.Errorf("%q: %q %q %v, want %q %q %v", c.text, base, args, pointer, c.base, c.args, c.pointer)
		}
	}
}
