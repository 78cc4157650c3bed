package services

import (
	"fmt"
	"testing"
)

func TestLeaves(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"application.yml", "a:\n  b:\n    url: http://x:80 # why\n  c: \"d\"\n---\ne: f\n",
			"[a.b.url=http://x:80 a.c=d e=f]"},
		{"application.yml",
			"routes:\n  - id: one\n    uri: lb://one\n    predicates:\n      - Path=/a/**\n  - id: two\nend: x",
			"[routes.id=one routes.uri=lb://one routes.predicates=Path=/a/** routes.id=two end=x]"},
		{"application.yml", "routes:\n- id: one\n  filters:\n  - StripPrefix=1\n- id: two\n  uri: u\n",
			"[routes.id=one routes.filters=StripPrefix=1 routes.id=two routes.uri=u]"},
		{"a.properties", "a.url = http://x\n# c: d\nb.c:e\n", "[a.url=http://x b.c=e]"},
		{"appsettings.json",
			"{\n  // why\n  \"A\": {\"Url\": \"http://x/\"},\n  \"L\": [\"m\", {\"N\": \"o\"}], \"P\": 1}",
			"[A.Url=http://x/ L=m L.N=o]"},
		{"appsettings.Development.json",
			"\ufeff{\"A\": [{\"B\": \"c\"} //,\n//{}\n], /* d */ \"Url\": \"http://x//y\", // z\n}", "[A.B=c Url=http://x//y]"},
	} {
		var got []string
		for _, l := range leaves(c.file, []byte(c.text)) {
			got = append(got, l.key()+"="+l.value)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %q has %v, want %s", c.file, c.text, got, c.want)
		}
	}
}
