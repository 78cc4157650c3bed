package proxies

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestRules reads the configuration files in testdata. The section "want NAME" after each file NAME
// lists its rules: line, match, target, and then entry, method and library if they are set.
func TestRules(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, p := range paths {
		archive, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			file, want := archive.Files[i], archive.Files[i+1]
			if want.Name != "want "+file.Name {
				t.Fatalf("%s: %q follows %q, want its rules", p, want.Name, file.Name)
			}
			if got := rulesOf(file.Name, file.Data); got != string(want.Data) {
				t.Errorf("%s, %s:\n%swant:\n%s", p, file.Name, got, want.Data)
			}
		}
	}
}

// rulesOf writes the rules that Facts reads, one a line.
func rulesOf(name string, text []byte) string {
	var b strings.Builder
	for _, f := range Facts(name, text) {
		part := strings.Split(f.Type, "\t")
		fmt.Fprintf(&b, "%d %s %s", f.Span.StartLine, part[0], part[1])
		for _, limit := range part[2:] {
			if limit != "" {
				b.WriteString(" " + limit)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestFilesThatAreNoConfiguration checks that programs, pages and large files have no rules.
func TestFilesThatAreNoConfiguration(t *testing.T) {
	location := "location /a/ { proxy_pass http://a/; }\n"
	for name, text := range map[string]string{
		"nginx.py": location, "docs/nginx.md": location, "page.html": location, "b.json": location,
		"big.conf": location + strings.Repeat("#", maxBytes),
	} {
		if got := rulesOf(name, []byte(text)); got != "" {
			t.Errorf("%s has rules: %s", name, got)
		}
	}
	if got := rulesOf("deploy/site.conf", []byte(location)); got != "1 /a/** http://a/**\n" {
		t.Errorf("deploy/site.conf: %q", got)
	}
	many := strings.Repeat(location, maxRules+5)
	if n := len(Facts("nginx.conf", []byte(many))); n != maxRules {
		t.Errorf("%d rules of one file, want %d", n, maxRules)
	}
}

func TestRegexp(t *testing.T) {
	for _, c := range []struct {
		expr, match, groups string
		ok                  bool
	}{
		{"^/red/?(?<rest>.*)$", "/red/**", "map[1:** rest:**]", true},
		{"/red/(.*)", "/red/**", "map[1:**]", true},
		{"^/red(/.*)?$", "/red/**", "map[1:/**]", true},
		{"/red(/|$)(.*)", "/red/**", "map[1:/ 2:**]", true},
		{`^/v1/(\d+)/items$`, "/v1/{1}/items", "map[1:{1}]", true},
		{"^/v1/(?P<id>[^/]+)$", "/v1/{id}", "map[1:{id} id:{id}]", true},
		{`/a\.b/c\-d`, "/a.b/c-d/**", "map[]", true},
		{"/(?:red)/x", "/red/x/**", "map[]", true},
		{"/v[0-9]+/x", "/v*/x/**", "map[]", true},
		{"/(red|blue)/x", "", "map[]", false},
		{"/(?:red|blue)/x", "", "map[]", false},
		{"/red(.*", "", "map[]", false},
		{"/(.*)/more", "", "map[]", false},
		{"/a|b", "", "map[]", false},
		{"/a?", "", "map[]", false},
		{`/a\d`, "", "map[]", false},
	} {
		match, groups, ok := Regexp(c.expr)
		if match != c.match || fmt.Sprint(groups) != c.groups || ok != c.ok {
			t.Errorf("Regexp(%q) = %q, %v, %t; want %q, %s, %t", c.expr, match, groups, ok, c.match, c.groups, c.ok)
		}
	}
}

func TestReferTailVariables(t *testing.T) {
	groups := map[string]string{"1": "{1}", "rest": "**"}
	for text, want := range map[string]string{
		"/$1/x": "/{1}/x", "/${rest}": "/**", `/$\{rest}`: "/**", `/\1`: "/{1}", "/plain": "/plain",
		"/$2": "", "/${none}": "",
	} {
		out, ok := Refer(text, groups)
		if ok != (want != "") || ok && out != want {
			t.Errorf("Refer(%q) = %q, %t; want %q", text, out, ok, want)
		}
	}
	for text, want := range map[string]string{
		"/a/{**rest}": "/a/**", "/a/{*rest}": "/a/**", "/a/:path*": "/a/**", "/a/:path+": "/a/**",
		"/a/{proxy+}": "/a/**",
		"/a/*":        "/a/**", "/*/b": "/*/b", "/a/:splat": "/a/**", "/a/:id/b": "/a/{id}/b",
		"/a/{id}": "/a/{id}", "/a/:": "/a/:",
	} {
		if got := Tail(text); got != want {
			t.Errorf("Tail(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"/a/*": "/a/{1}", "/a/**": "/a/**", "/a/{*rest}": "/a/**", " /a/{id} ": "/a/{id}"} {
		if got := springPath(text); got != want {
			t.Errorf("springPath(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"http://${CART}:8080": "http://{env:CART}:8080", "http://{$CART}/": "http://{env:CART}/",
		"http://%(ENV_CART)s": "http://{env:CART}", `http://{{ env "CART" }}/a`: "http://{env:CART}/a",
		"http://$cart": "http://$cart",
	} {
		if got := Variables(text); got != want {
			t.Errorf("Variables(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestApply(t *testing.T) {
	for _, c := range []struct{ path, match, target, want string }{
		{"/api/x/**", "/api/**", "/**", "/x/**"},
		{"/api/**", "/api/**", "/v2/**", "/v2/**"},
		{"/api/x", "/api/x/", "/y", "/y"},
		{"/api/x/z", "/api/x", "/y", ""},
		{"/apix/**", "/api/**", "/**", ""},
		{"/api/x/**", "/{any}/**", "/**", ""},
	} {
		out, ok := Apply(c.path, c.match, c.target)
		if ok != (c.want != "") || ok && out != c.want {
			t.Errorf("Apply(%q, %q, %q) = %q, %t; want %q", c.path, c.match, c.target, out, ok, c.want)
		}
	}
}

func TestForwardAndRewrite(t *testing.T) {
	for _, c := range []struct {
		context, target string
		rewrites        [][2]string
		want            string
	}{
		{"/api", "http://a:1/", nil, "/api/** http://a:1/api/**"},
		{"/api", "http://a:1", [][2]string{{"^/api", ""}}, "/api/** http://a:1/**"},
		{"^/api", "http://a:1/v2", [][2]string{{"^/other", "/no"}, {"^/api", "/yes"}}, "/api/** http://a:1/v2/yes/**"},
		{"/api/**", "http://a:1", [][2]string{{"^/api/(.*)", "/$1"}}, "/api/** http://a:1/**"},
		{"api", "http://a:1", nil, ""},
		{"/api", "", nil, ""},
		{"/api", "http://a:1", [][2]string{{"^/(a|b)", ""}}, ""},
		{"/api", "http://a:1", [][2]string{{"^/api", "/$1"}}, ""},
	} {
		got := ""
		if r, ok := Forward(c.context, c.target, c.rewrites); ok {
			got = r.Match + " " + r.Target
		}
		if got != c.want {
			t.Errorf("Forward(%q, %q, %v) = %q, want %q", c.context, c.target, c.rewrites, got, c.want)
		}
	}
	for _, c := range []struct{ source, destination, want string }{
		{"/api/:path*", "http://a:8080/:path*", "/api/** http://a:8080/**"},
		{"/api/:id", "http://a/v1/:id", "/api/{id} http://a/v1/{id}"},
		{"/api/(.*)", "http://a/$1", "/api/** http://a/**"},
		{"/api/:path*", "{env:API}/:path*", "/api/** {env:API}/**"},
		{"/api/(.*)", "http://a/$2", ""},
		{"/api", "/inside", ""},
		{"api", "http://a/", ""},
	} {
		got := ""
		if r, ok := Rewrite(c.source, c.destination); ok {
			got = r.Match + " " + r.Target
		}
		if got != c.want {
			t.Errorf("Rewrite(%q, %q) = %q, want %q", c.source, c.destination, got, c.want)
		}
	}
}
