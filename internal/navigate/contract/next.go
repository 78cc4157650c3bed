package contract

import "reflect"

// pointerTo constrains *R to be a request; for R = SearchRequest it is *SearchRequest.
type pointerTo[R any] interface {
	*R
	Request
}

// Next returns a copy of the request for a suggested call: modified by the function change, and without
// the fields that equal their defaults.
func (r *SearchRequest) Next(change func(*SearchRequest)) *SearchRequest {
	return restated(r, change)
}

// Next returns a copy of the request for a suggested call: modified by the function change, and without
// the fields that equal their defaults.
func (r *OutlineRequest) Next(change func(*OutlineRequest)) *OutlineRequest {
	return restated(r, change)
}

// Next returns a copy of the request for a suggested call: modified by the function change, and without
// the fields that equal their defaults.
func (r *GraphRequest) Next(change func(*GraphRequest)) *GraphRequest {
	return restated(r, change)
}

// Next returns a copy of the request for a suggested call: modified by the function change, and without
// the fields that equal their defaults.
func (r *ReadRequest) Next(change func(*ReadRequest)) *ReadRequest {
	return restated(r, change)
}

// Next returns a copy of the request for a suggested call: modified by the function change, and without
// the fields that equal their defaults.
func (r *ManageRequest) Next(change func(*ManageRequest)) *ManageRequest {
	return restated(r, change)
}

// restated returns a copy of the normalized request req, modified by the function change, in the
// form of a suggestion: it omits each field that Normalize would set to the same value. It finds
// the fields by reflection, so it needs no change when a request gains a field. req is not
// modified; change must not write through its pointers.
func restated[R any, P pointerTo[R]](req P, change func(P)) P {
	next := *req
	d := P(&next).Want()
	// These fields are no arguments of the tool: this program sets them. Functions among them
	// could not be compared below either.
	format, byDefault := d.Format, d.ByDefault
	d.Progress, d.Price, d.Implied, d.RootKnown, d.Clamped, d.ByDefault = nil, nil, false, false, nil, ""
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
	if byDefault != "" {
		if d.Format = format; format == byDefault {
			d.Format = ""
		}
	}
	return &next
}

// normalized returns r with its defaults; it ignores errors in r.
func normalized[R any, P pointerTo[R]](r R) R {
	_ = P(&r).Normalize()
	return r
}

// fields calls visit for each field of a request, including those of the embedded Delivery.
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
