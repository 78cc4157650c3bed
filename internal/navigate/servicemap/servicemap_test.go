package servicemap_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// shop has two services that call each other and a third that nobody calls; web also calls itself and
// a host outside the workspace. Its test and its vendored code are not on the map.
var shop = map[string]string{
	"docker-compose.yml": "services:\n  web:\n    build: ./web\n  cart:\n    build: ./cart\n  idle:\n" +
		"    build: ./idle\n",
	"web/Dockerfile": "FROM node\n", "cart/Dockerfile": "FROM node\n", "idle/Dockerfile": "FROM node\n",
	"idle/index.js": "exports.wait = () => 1;\n",
	"web/index.js": `const axios = require('axios');
const app = require('express')();
app.get('/self', (req, res) => res.json({}));
async function show(id) {
  await axios.get('http://cart/items/1');
  await axios.get('http://cart/items/2');
  await axios.post('http://cart/items', {});
  await axios.get('http://web/self');
  await axios.get('https://rates.example.com/rates');
  await axios.get('https://rates.example.com/rates');
}
`,
	"web/vendor/probe.js": "const axios = require('axios');\nconst app = require('express')();\n" +
		"app.get('/probe', (req, res) => axios.get('https://rates.example.com/all'));\n",
	"web/index.test.js": "const axios = require('axios');\ntest('x', () => axios.get('http://cart/items/3'));\n",
	"cart/server.js": `const axios = require('axios');
const app = require('express')();
app.get('/items/:id', (req, res) => axios.get('http://web/self'));
app.post('/items', (req, res) => res.json({}));
`,
}

func TestServices(t *testing.T) {
	b := navigatetest.Of(t, shop)
	a, err := b.Service.Services(t.Context(), b.Dir)
	if err != nil || a.Status != contract.StatusOK || a.CodebaseRoot != b.Dir {
		t.Fatalf("%+v, %v", a, err)
	}
	var got []string
	for _, s := range a.Services {
		var routes []string
		for _, r := range s.Routes {
			routes = append(routes, fmt.Sprintf("%s %s:%d", r.Route, r.File, r.Line))
		}
		got = append(got, s.Name+": "+strings.Join(routes, ", "))
	}
	for _, l := range a.Links {
		got = append(got, fmt.Sprintf("%s → %s %s, %d calls, %d candidates: %s", l.From, l.To, l.Kind, l.Calls,
			l.Candidates, strings.Join(l.Via, ", ")))
	}
	for _, u := range a.Unanswered {
		got = append(got, fmt.Sprintf("%s ? %s %s:%d", u.From, u.Via, u.File, u.Line))
	}
	want := `cart: GET /items/{} cart/server.js:3, POST /items cart/server.js:4
idle: 
web: GET /self web/index.js:3
cart → web http, 1 calls, 0 candidates: GET /self
web → cart http, 3 calls, 0 candidates: GET /items/{}, POST /items
web ? GET /rates web/index.js:9
web ? GET /rates web/index.js:10`
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
}

// TestServicesFollowTheFiles checks that the map shows an edit made since the last.
func TestServicesFollowTheFiles(t *testing.T) {
	b := navigatetest.Of(t, shop)
	b.Edit("web/index.js", func(text string) string { return strings.ReplaceAll(text, "http://cart", "http://idle") })
	a, err := b.Service.Services(t.Context(), b.Dir)
	if err != nil || len(a.Services) != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	if len(a.Links) != 1 || a.Links[0].From != "cart" {
		t.Errorf("links after the edit: %+v", a.Links)
	}
	if len(a.Unanswered) != 5 {
		t.Errorf("%d unanswered calls, want 5: %+v", len(a.Unanswered), a.Unanswered)
	}
}

// TestServicesOfAFolder checks that the map of a path within a workspace has the services there, or the one around
// it, with their links, and no more than the names of the services at the other ends.
func TestServicesOfAFolder(t *testing.T) {
	b := navigatetest.Of(t, shop)
	for path, want := range map[string]string{
		"idle":         "idle 0; 0 links, 0 unanswered",
		"cart":         "cart 2, web 0; 2 links, 0 unanswered",
		"web/index.js": "cart 0, web 1; 2 links, 2 unanswered",
		"web/vendor":   "cart 0, web 1; 2 links, 2 unanswered",
		"":             "cart 2, idle 0, web 1; 2 links, 2 unanswered",
	} {
		a, err := b.Service.Services(t.Context(), filepath.Join(b.Dir, path))
		if err != nil || a.Within != path {
			t.Fatalf("%s: %+v, %v", path, a, err)
		}
		var names []string
		for _, s := range a.Services {
			names = append(names, fmt.Sprintf("%s %d", s.Name, len(s.Routes)))
		}
		got := fmt.Sprintf("%s; %d links, %d unanswered", strings.Join(names, ", "), len(a.Links), len(a.Unanswered))
		if got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}
