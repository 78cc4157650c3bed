package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// querySet is the class of Django whose objects are collections of a model's records. A manager
// counts as a query set, too.
const querySet = "django.db.models.QuerySet"

// querySetMethods lists the methods of a query set or manager that return a query set of the same
// model.
var querySetMethods = resolve.Words("all alias annotate defer difference distinct exclude extra filter intersection " +
	"iterator none only order_by prefetch_related reverse select_for_update select_related union using")

// records returns the manager that a model class has as the attribute called name: the one that Django adds to a class
// without any, Order.objects if Order extends Model, or the one that the class declares, objects =
// PaidQuerySet.as_manager(). m is the result of looking the attribute up. It returns false for anything else.
func records(w *resolve.World, class resolve.Ref, m found, name string) (resolve.Value, bool) {
	if class.Symbol().Kind != code.KindClass {
		return resolve.Value{}, false
	}
	text, own := "QuerySet[Record]", &resolve.Binding{Name: "Record",
		Type: resolve.Type{Text: class.Symbol().Name, File: class.File, Scope: class.Symbol().Parent}}
	switch {
	case m.value.Kind == resolve.Instance && m.value.Ref.Valid() && setClass(w, m.value.Ref) != "":
		text, own.Next = "QuerySet[Record, Own]", &resolve.Binding{Name: "Own", Type: m.value.Type}
	case (name == "objects" || name == "_default_manager") && m.value.Kind == resolve.Foreign &&
		strings.HasPrefix(m.value.Module, "django.") && strings.HasSuffix(m.value.Module, "."+name):
	default:
		return resolve.Value{}, false
	}
	return resolve.Value{Kind: resolve.Instance, Module: querySet, How: m.value.How,
		Type: resolve.Type{Text: text, File: class.File, Scope: class.Symbol().Parent, Bind: own}}, true
}

// setClass returns the class of Django, QuerySet or a manager, that a class of the workspace extends; "" if there is
// none.
func setClass(w *resolve.World, class resolve.Ref) string {
	m := member(w, pyOrder(w, class), "select_related")
	base, isMethod := strings.CutSuffix(m.value.Module, ".select_related")
	if m.value.Kind != resolve.Foreign || !isMethod || !strings.HasPrefix(base, "django.") ||
		!strings.HasSuffix(base, "QuerySet") && !strings.HasSuffix(base, "Manager") {
		return ""
	}
	return base
}

// ownSet returns the class of the workspace that a query set or manager is an object of; the zero Ref if there is none.
func ownSet(w *resolve.World, x resolve.Value) resolve.Ref {
	if x.Kind != resolve.Instance || x.Module != querySet {
		return resolve.Ref{}
	}
	if _, args := container(x); len(args) == 2 {
		return typed(w, x.Type.With(args[1])).Ref
	}
	return resolve.Ref{}
}

// ofOwnSet returns the method called name that the class of the workspace of a query set declares; false if there is
// none.
func ofOwnSet(w *resolve.World, x resolve.Value, name string) (found, bool) {
	class := ownSet(w, x)
	if !class.Valid() {
		return found{}, false
	}
	m := member(w, pyOrder(w, class), name)
	if m.value.Kind != resolve.Function {
		return found{}, false
	}
	m.value = on(m.value, class)
	m.value.Type.Bind = x.Type.Bind
	m.value = m.value.Via(x.How)
	return m, true
}

// ofSetClass returns a method of Django as one of a class of the workspace that extends a query set or manager, so that
// setResult can evaluate its calls. It returns other members as they are.
func ofSetClass(w *resolve.World, m found, class resolve.Ref, name string) found {
	if m.value.Kind != resolve.Foreign || !strings.HasPrefix(m.value.Module, "django.") {
		return m
	}
	filters := querySetMethods[name] && strings.HasSuffix(m.value.Module, "QuerySet."+name)
	if filters || name == "as_manager" || name == "from_queryset" {
		m.value = on(m.value, class)
	}
	return m
}

// setResult evaluates a call of a method of Django on a class of the workspace, or an object of it: an object of the
// class for OrderQuerySet.as_manager() and self.filter(), a class for Manager.from_queryset(OrderQuerySet).
func (p Language) setResult(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	if strings.HasSuffix(f.Module, ".from_queryset") {
		if len(e.Args) == 0 {
			return resolve.Value{}
		}
		return resolve.Eval(p, s, e.Args[0])
	}
	return instance(f.Type.File.Ref(f.Type.Scope), f.How).Via(resolve.TypedResult)
}

// recordsOf returns the result of a method that the class of a query set declares, as a query set of the same model if
// it is an object of such a class: Order.objects.paid().first().
func recordsOf(w *resolve.World, f, result resolve.Value) resolve.Value {
	if _, ok := f.Type.Bind.Lookup("Record"); !ok || result.Kind != resolve.Instance || !result.Ref.Valid() ||
		setClass(w, result.Ref) == "" {
		return result
	}
	t := f.Type.With("QuerySet[Record, Own]")
	return resolve.Value{Kind: resolve.Instance, Module: querySet, Type: t, How: result.How}
}

// queried evaluates a call of the method called name of a query set: a query set for filter, and a pair for
// get_or_create. It returns the zero Value for any other method.
func queried(w *resolve.World, f resolve.Value, name string) resolve.Value {
	_, args := container(resolve.Value{Kind: resolve.Instance, Type: f.Type})
	switch {
	case len(args) == 0:
	case querySetMethods[name]:
		if class := ownSet(w, resolve.Value{Kind: resolve.Instance, Module: querySet, Type: f.Type}); class.Valid() &&
			strings.HasSuffix(setClass(w, class), "Manager") {
			f.Type = f.Type.With("QuerySet[" + args[0] + "]") // a manager's query set is not of its class
		}
		return resolve.Value{Kind: resolve.Instance, Module: querySet, Type: f.Type, How: f.How}
	case slices.Contains([]string{"get_or_create", "update_or_create"}, name):
		return resolve.Value{Kind: resolve.Instance, Type: f.Type.With("tuple[" + args[0] + ", bool]"), How: f.How}
	}
	return resolve.Value{}
}

// recordOf evaluates get_object_or_404(x), where x is a model or a query set.
func recordOf(w *resolve.World, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Class {
		return instance(x.Ref, x.How).Via(resolve.TypedResult)
	}
	return element(w, x)
}
