package search

import "testing"

func TestRouteAsked(t *testing.T) {
	for query, want := range map[string]string{
		"/settings/2fa": "ANY /settings/2fa", "GET /api/users/:id": "GET /api/users/:id",
		"post /api/users/{id}?full=1#top": "POST /api/users/{id}", "/": "", "GET": "", "//": "",
		"what answers GET /orders": "", "and/or": "", "/usr/bin of the image": "",
	} {
		if got := routeAsked(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
