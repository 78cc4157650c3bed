package quality

import (
	"reflect"
	"testing"
)

func TestRareTokens(t *testing.T) {
	add := func(r *RareTokens) {
		r.Add("a.go",
			"package a\n\nconst header = \"X-Tenant-Id\" // X-Tenant-Id\nvar DECLARED = 1\nfunc x() { shared() }\n",
			[]string{"Declared"})
		r.Add("pom.xml", "<artifactId>spring-boot-starter-web</artifactId>\n<a>shared</a>\n<b>spring-boot</b>\n", nil)
	}
	r := NewRareTokens()
	add(r)
	found := map[string]Answer{}
	for _, q := range r.Draw(1, 100) {
		found[q.Query] = q.Answers[0]
	}
	want := map[string]Answer{"X-Tenant-Id": {File: "a.go", Line: 3},
		"spring-boot-starter-web": {File: "pom.xml", Line: 1}, "spring-boot": {File: "pom.xml", Line: 3},
		"artifactId": {File: "pom.xml", Line: 1}, "header": {File: "a.go", Line: 3}, "package": {File: "a.go", Line: 1}}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("got %v, want %v", found, want)
	}
	again := NewRareTokens()
	add(again)
	if a, b := r.Draw(7, 2), again.Draw(7, 2); len(a) != 2 || !reflect.DeepEqual(a, b) {
		t.Errorf("one seed draws %v and %v", a, b)
	}
	if a, b := r.Draw(1, 5), r.Draw(2, 5); reflect.DeepEqual(a, b) {
		t.Errorf("two seeds draw the same order: %v", a)
	}
}
