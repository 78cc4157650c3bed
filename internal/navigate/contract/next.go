package contract

import "reflect"

// pointerTo is a pointer to R that is a request: for R = SearchRequest, *SearchRequest.
type pointerTo[R any] interface {
	*R
	Request
}

// Next returns a copy of the request with a change made to it; see [restated].
func (r *SearchRequest) Next(change func(*SearchRequest)) *SearchRequest {
	return restated(r, change)
}

// Next returns a copy of the request with a change made to it; see [restated].
func (r *OutlineRequest) Next(change func(*OutlineRequest)) *OutlineRequest {
	return restated(r, change)
}

// Next returns a copy of the request with a change made to it; see [restated].
func (r *GraphRequest) Next(change func(*GraphRequest)) *GraphRequest {
	return restated(r, change)
}

// Next returns a copy of the request with a change made to it; see [restated].
func (r *ReadRequest) Next(change func(*ReadRequest)) *ReadRequest {
	return restated(r, change)
}

// Next returns a copy of the request with a change made to it; see [restated].
func (r *ManageRequest) Next(change func(*ManageRequest)) *ManageRequest {
	return restated(r, change)
}

// restated returns a copy of a normalized request with a change made to it, as a
// suggestion states it: every field but those that Normalize would set to the
// same value anyway. It is how a continuation stays the same request, also
// when a field is added to it. req is left as it is; change must not write
// through its pointers.
func restated[R any, P pointerTo[R]](req P, change func(P)) P {
	next := *req
	d := P(&next).Want()
	d.Progress, d.Price, d.Implied, d.Clamped = nil, nil, false, nil // of the caller, and not comparable
	change(&next)
	whole := normalized[R, P](next)
	fields(reflect.ValueOf(&next).Elem(), func(field reflect.Value) {
		if field.IsZero() {
			return
		}
		given := reflect.ValueOf(field.Interface())
		field.SetZero()
		if !reflect.DeepEqual(normalized[R, P](next), whole) {
			field.Set(given)
		}
	})
	return &next
}

// normalized returns r with its defaults; what is wrong with it is of no concern.
func normalized[R any, P pointerTo[R]](r R) R {
	_ = P(&r).Normalize()
	return r
}

// fields visits the fields of a request, those of its delivery included.
func fields(v reflect.Value, visit func(reflect.Value)) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case v.Type().Field(i).Anonymous:
			fields(f, visit)
		default:
			visit(f)
		}
	}
}
