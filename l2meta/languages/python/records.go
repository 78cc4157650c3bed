package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// querySet is the class of Django whose objects are collections of a model's records. A manager
// counts as a query set, too.
const querySet = "django.db.models.QuerySet"

// querySetMethods lists the methods of a query set or manager that return a query set of the same
// model.
var querySetMethods = resolve.Words("all alias annotate defer difference distinct exclude extra filter intersection " +
	"iterator none only order_by prefetch_related reverse select_for_update select_related union using")

// records returns the manager that Django adds to a model class as the attribute called name, if
// the class declares no manager: Order.objects, if Order extends Model. m is the result of
// looking the attribute up. It returns false for anything else.
func records(class resolve.Ref, m found, name string) (resolve.Value, bool) {
	if name != "objects" && name != "_default_manager" || m.value.Kind != resolve.Foreign ||
		!strings.HasPrefix(m.value.Module, "django.") || !strings.HasSuffix(m.value.Module, "."+name) ||
		class.Symbol().Kind != code.KindClass {
		return resolve.Value{}, false
	}
	own := resolve.Type{Text: class.Symbol().Name, File: class.File, Scope: class.Symbol().Parent}
	return resolve.Value{Kind: resolve.Instance, Module: querySet, How: m.value.How,
		Type: resolve.Type{Text: "QuerySet[Record]", File: own.File, Scope: own.Scope,
			Bind: &resolve.Binding{Name: "Record", Type: own}}}, true
}

// queried evaluates a call of the method called name of a query set: a query set for filter, and a pair for
// get_or_create. It returns the zero Value for any other method.
func queried(f resolve.Value, name string) resolve.Value {
	_, args := container(resolve.Value{Kind: resolve.Instance, Type: f.Type})
	switch {
	case len(args) == 0:
	case querySetMethods[name]:
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
