package symbols_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestRouteSymbol checks that an anonymous function that handles a route is a symbol, and that the
// calls of one route's handler are not attributed to another's.
func TestRouteSymbol(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"web/app.js": "const app = require('express')();\n\nfunction wipe() {}\nfunction look() {}\n\n" +
			"app.get('/safe/:id', (req, res) => look());\napp.post('/danger', log, async function (req, res) {\n" +
			"  wipe();\n});\n",
		"bank/app.py": "from flask import Flask\napp = Flask(__name__)\n\ndef check():\n    pass\n\n" +
			"@app.route('/pay/<int:id>', methods=['POST'])\ndef pay(id):\n    check()\n",
		"shop/app.rb": "require 'sinatra'\n\ndef wares\nend\n\nget '/wares/:id' do\n  wares\nend\n",
		"store/api.php": "<?php\nfunction stock() {}\n\nRoute::get('/stock/{id}', function ($id) {\n" +
			"    return stock();\n});\n",
	})
	for label, want := range map[string][]string{
		"GET /safe/{id}": {"look"}, "GET /safe/:id": {"look"}, "POST /danger": {"wipe"},
		"web/app.js:POST /danger": {"wipe"}, "GET /wares/{id}": {"wares"}, "GET /stock/{id}": {"stock"},
		"POST /pay/{id}": {"check"}, "POST /pay/{}": {"check"}, "POST /pay/7": {"check"}, "GET /safe/{}": {"look"},
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.DirectionCallees})
		var got []string
		for _, n := range a.Nodes {
			if n.SymbolLabel != a.SymbolRef.SymbolLabel {
				got = append(got, n.SymbolLabel)
			}
		}
		if a.Status != contract.StatusOK || !slices.Equal(got, want) {
			t.Errorf("%s: %+v calls %v, want %v", label, a.Outcome, got, want)
		}
	}
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "wipe"},
		Direction: contract.DirectionCallers})
	if len(up.Edges) != 1 || len(up.Nodes) != 2 {
		t.Errorf("wipe is called by %+v", up.Nodes)
	}
}

// TestUnknownRoute checks that a route that no function answers does not lead to symbols named like
// the last step of its path.
func TestUnknownRoute(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.py": "def replies():\n    return 1\n"})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "POST /v1/{id}/replies"}})
	if a.Reason != contract.ReasonMissingSymbol || len(a.Candidates) > 0 ||
		!strings.Contains(a.Message, `is known to answer "POST /v1/{id}/replies"`) {
		t.Errorf("%+v, candidates %+v", a.Outcome, a.Candidates)
	}
}

// TestRouteOfAParameter checks that a function that adds routes for its callers does not answer what nothing is known
// to answer, whereas a handler of all paths does.
func TestRouteOfAParameter(t *testing.T) {
	const add = "package main\n\nimport \"net/http\"\n\n" +
		"func add(m *http.ServeMux, path string, h http.HandlerFunc) { m.HandleFunc(\"/\"+path, wrap(h)) }\n\n" +
		"func wrap(h http.HandlerFunc) http.HandlerFunc { return h }\n\nfunc page(http.ResponseWriter, *http.Request) {}\n"
	const pages = "\nfunc serve(m *http.ServeMux) { m.HandleFunc(\"/{slug}\", page) }\n"
	for text, want := range map[string]string{add: "", add + pages: "page"} {
		b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n", "main.go": text})
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "POST /token"}})
		if a.SymbolRef.SymbolLabel != want && (want != "" || a.Reason != contract.ReasonMissingSymbol) {
			t.Errorf("POST /token leads to %q, want %q: %+v", a.SymbolRef.SymbolLabel, want, a.Outcome)
		}
	}
}

// TestSimilarRoutes checks that for a route that nothing answers those are named that may be meant: below a prefix, with
// a prefix too much, and with another method.
func TestSimilarRoutes(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"web/app.js": "const app = require('express')();\n\napp.post('/v1/auth/signin', (req, res) => 1);\n" +
			"app.get('/orders/:id', (req, res) => 2);\napp.get('/health', (req, res) => 3);\n",
	})
	for asked, want := range map[string]string{
		"POST /auth/signin":      "Similar routes: POST /v1/auth/signin.",
		"GET /api/orders/{id}":   "Similar routes: GET /orders/{}.",
		"DELETE /orders/{id}":    "Similar routes: GET /orders/{}.",
		"DELETE /api/orders/{}":  "A search for its path",
		"POST /v1/auth/password": "A search for its path",
		"GET /{id}":              "A search for its path",
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: asked}})
		if a.Reason != contract.ReasonMissingSymbol || !strings.Contains(a.Message, want) {
			t.Errorf("%s: %+v, want %q", asked, a.Outcome, want)
		}
	}
}

// TestRoutesOfDjango checks that a route leads to the view of its own application, where several have a views.py with
// a function of that name, and that the prefix of an included list may have converters.
func TestRoutesOfDjango(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"requirements.txt": "django\n",
		"hc/urls.py": "from django.urls import include, path\n\n" +
			"urlpatterns = [path('', include('hc.api.urls')), path('', include('hc.front.urls'))]\n",
		"hc/api/urls.py": "from django.urls import include, path\n\nfrom hc.api import views\n\n" +
			"api_urls = [path('status/', views.status)]\n\nurlpatterns = [path('api/v1/', include(api_urls))]\n",
		"hc/api/views.py": "def status(request):\n    pass\n",
		"hc/front/urls.py": "from django.urls import include, path\n\nfrom . import views\n\n" +
			"check_urls = [path('status/', views.status)]\n\n" +
			"urlpatterns = [path('checks/<uuid:code>/', include(check_urls))]\n",
		"hc/front/views.py": "def status(request, code):\n    pass\n",
	})
	for label, want := range map[string]string{"GET /api/v1/status/": "hc/api/views.py",
		"GET /checks/7/status/": "hc/front/views.py", "GET /status/": ""} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if got := a.SymbolRef.File; got != want && (want != "" || a.Status != contract.StatusNotFound) {
			t.Errorf("%s: %+v in %q, want %q", label, a.Outcome, got, want)
		}
	}
}
