package services

import "strings"

// These texts in the place of a mounted router are no expressions.
const (
	SomeRouter = "*"  // a router that is not known: app.include_router(routers[i])
	NeedsMount = "!"  // with a name, a router that serves nothing unless it is mounted: !items for items = APIRouter()
	Scans      = "~"  // with a package, the service serves the components of the package and those below: ~com.shop
	SomeScan   = "~*" // the service scans packages that are not known
	Replaced   = "&"  // with a name, the routes of the file stand unless a file replaces those of that name
	Replaces   = "="  // with a name, the routes of the file replace those of that name
	NeedsScan  = "~?" // the components of the file serve nothing unless a scan covers the package of the file
)

// adderWords lists parts, in lower case, of names of functions that add routes to a router.
var adderWords = []string{"rout", "regist", "mount", "endpoint", "handl", "setup"}

// AddsRoutes reports whether a name sounds like that of a function that adds routes to a router: registerOrders,
// addItems.
func AddsRoutes(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range adderWords {
		if strings.Contains(lower, word) {
			return true
		}
	}
	for _, verb := range []string{"add", "map", "use"} {
		if rest := name[min(len(verb), len(name)):]; strings.HasPrefix(lower, verb) && rest != "" &&
			(rest[0] == '_' || rest[0] != lower[len(verb)]) {
			return true
		}
	}
	return false
}
