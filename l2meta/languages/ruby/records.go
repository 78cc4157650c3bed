package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// recordBases lists the classes of Active Record that a workspace's classes for database tables
// extend. Such a class is called a record here.
var recordBases = map[string]bool{"ActiveRecord::Base": true, "ActiveRecord::Relation": true}

var (
	// finders lists the class methods of a record, and the methods of its relations, that return
	// a record.
	finders = resolve.Words(`find find_by find_by! find_sole_by sole take take! first first! last last! second third
		fourth fifth create create! build find_or_create_by find_or_create_by! create_or_find_by create_or_find_by!
		find_or_initialize_by first_or_create first_or_create! first_or_initialize`)
	// queries names the class methods that return a relation. A relation has the class methods of its record.
	queries = resolve.Words(`all where rewhere not or and merge order reorder in_order_of limit offset includes preload
		eager_load joins left_joins left_outer_joins references group having select distinct none unscoped unscope lock
		readonly from extending with strict_loading excluding without create_with reverse_order`)
)

// record evaluates a method of Active Record on x: a finder or a query of a class, or an
// association of an object, as declared by belongs_to :user. It returns the zero object for any
// other method, and if the class of x is no record.
func (r reader) record(x object, name string) object {
	if x.kind != known || !r.isRecord(x.class) {
		return object{}
	}
	switch {
	case x.meta && finders[name]:
		return object{kind: known, class: x.class, how: resolve.TypedResult}
	case x.meta && queries[name]:
		return object{kind: known, class: x.class, meta: true, how: resolve.TypedResult}
	case !x.meta:
		return r.association(x.class, name)
	}
	return object{}
}

type recordKey string

// isRecord reports whether a class extends a base class of Active Record.
func (r reader) isRecord(class string) bool {
	return resolve.Derive(r.w, recordKey(class), func() bool {
		return slices.ContainsFunc(r.steps(object{kind: known, class: class}), func(s step) bool {
			return recordBases[strings.TrimPrefix(s.unknown, "::")]
		})
	})
}

type associationKey struct{ class, name string }

// association returns the value of the association called name that a class or one of its
// ancestors declares.
func (r reader) association(class, name string) object {
	return resolve.Derive(r.w, associationKey{class, name}, func() object {
		for _, s := range r.steps(object{kind: known, class: class}) {
			for _, d := range r.declared(s.class) {
				for _, i := range d.File.Children(d.Index) {
					if m := &d.File.Symbols[i]; m.Name == name && m.Kind == code.KindProperty {
						return r.returned(d.File.Ref(i), object{}).via(resolve.TypedResult)
					}
				}
			}
		}
		return object{}
	})
}
