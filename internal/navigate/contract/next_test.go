package contract

import (
	"reflect"
	"testing"
)

// fill sets every field below v to a value other than its zero value and its default.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("/given")
	case reflect.Int:
		v.SetInt(777)
	case reflect.Float64:
		v.SetFloat(0.125)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if v.Elem().Kind() != reflect.Bool {
			fill(t, v.Elem()) // such fields exist to distinguish false from nil
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Func:
		v.SetZero()
	default:
		t.Fatalf("a request has a %s: say here how to give it a value", v.Kind())
	}
}

// forgets returns the names of the fields that restated loses from a filled request.
func forgets[R any, P pointerTo[R]](t *testing.T) (lost []string) {
	var whole R
	fill(t, reflect.ValueOf(&whole).Elem())
	d := P(&whole).Want()
	d.Implied, d.RootKnown, d.Clamped, d.ByDefault = false, false, nil, "" // no arguments
	next := restated(P(&whole), func(P) {})
	a, b := reflect.ValueOf(whole), reflect.ValueOf(*next)
	for _, f := range reflect.VisibleFields(a.Type()) {
		if !reflect.DeepEqual(a.FieldByIndex(f.Index).Interface(), b.FieldByIndex(f.Index).Interface()) {
			lost = append(lost, f.Name)
		}
	}
	return lost
}

// TestNoFieldIsForgotten checks that suggestions keep every field of every request type.
func TestNoFieldIsForgotten(t *testing.T) {
	for tool, lost := range map[string][]string{
		ToolList: forgets[ListRequest](t), ToolSearch: forgets[SearchRequest](t),
		ToolOutline: forgets[OutlineRequest](t),
		ToolGraph:   forgets[GraphRequest](t), ToolRead: forgets[ReadRequest](t), ToolManage: forgets[ManageRequest](t),
	} {
		if len(lost) > 0 {
			t.Errorf("%s: a suggestion of the same request lacks %v", tool, lost)
		}
	}
}

func TestDefaultsStayUnsaid(t *testing.T) {
	req := SearchRequest{Path: "/a", Query: "x", Limit: 7}
	if err := req.Normalize(); err != nil {
		t.Fatal(err)
	}
	if got, want := *restated(&req, func(*SearchRequest) {}),
		(SearchRequest{Path: "/a", Query: "x", Limit: 7}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
