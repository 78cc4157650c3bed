package packing

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	var w Writer
	w.Uint(math.MaxInt >> 1)
	w.Signed(-7)
	w.String("one")
	w.Strings([]string{"two", "one", ""})
	w.Strings(nil)
	w.Bool(true)
	w.Raw([]byte{1, 2, 3})
	packed := w.Bytes(3)

	read := func(r *Reader) {
		if n := r.Uint(); n != math.MaxInt>>1 {
			t.Errorf("%d", n)
		}
		if n := r.Signed(); n != -7 {
			t.Errorf("%d", n)
		}
		at := r.Offset()
		for range 2 {
			r.Seek(at)
			if s := r.String(); s != "one" {
				t.Errorf("%q", s)
			}
		}
		if list := r.Strings(); !slices.Equal(list, []string{"two", "one", ""}) {
			t.Errorf("%q", list)
		}
		if list := r.Strings(); list != nil {
			t.Errorf("%q", list)
		}
		if !r.Bool() {
			t.Error("false")
		}
		if b := r.Raw(3); !slices.Equal(b, []byte{1, 2, 3}) {
			t.Errorf("%v", b)
		}
	}
	r := NewReader(packed, 3)
	read(r)
	if err := r.End(); err != nil {
		t.Error(err)
	}
	if err := NewReader(packed, 3).End(); !errors.Is(err, ErrDamaged) {
		t.Errorf("nothing was read: %v", err)
	}
	if err := NewReader(packed, 4).End(); !errors.Is(err, ErrDamaged) {
		t.Errorf("another version: %v", err)
	}
}

// TestDamagedTable reads strings of a table that is cut off or has an impossible length: none may refer to bytes
// outside of the packed form.
func TestDamagedTable(t *testing.T) {
	for _, packed := range [][]byte{
		{1, 1, 200, 1, 'a'},    // a string of 200 bytes, of which one is there
		{1, 2, 1, 'a', 100, 1}, // the second one
		{1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, // a length of more than 64 bits
	} {
		r := NewReader(packed, 1)
		if s := r.String(); s != "" {
			t.Errorf("%v: a string of %d bytes", packed, len(s))
		}
		if err := r.End(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v: error %v", packed, err)
		}
	}
}

// TestDamage reads every beginning of a packed form, and the form with every byte
// changed: none may panic, and no beginning is whole.
func TestDamage(t *testing.T) {
	var w Writer
	w.Strings([]string{"a", "bc", "a"})
	w.Raw([]byte("xyz"))
	w.Signed(-300)
	packed := w.Bytes(1)
	read := func(b []byte) error {
		r := NewReader(b, 1)
		r.Strings()
		r.Raw(3)
		r.Signed()
		return r.End()
	}
	if err := read(packed); err != nil {
		t.Fatal(err)
	}
	for n := range packed {
		if read(packed[:n]) == nil {
			t.Errorf("%d bytes of %d are whole", n, len(packed))
		}
		for _, b := range []byte{0, 1, 127, 128, 255} {
			damaged := slices.Clone(packed)
			damaged[n] = b
			_ = read(damaged)
		}
	}
}
