package services_test

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
)

// TestOperations checks the facts of OpenAPI documents of versions 2 and 3, in YAML and JSON.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"a/swagger.yaml", "swagger: '2.0'\nbasePath: /v1\npaths:\n  /a/{id}:\n    get:\n      operationId: getA\n" +
			"      tags: [letters, more]\n    parameters: []\n", []string{"getA\tGET\t/a/{id}\t/v1\tletters"}},
		{"a/openapi.json", `{"openapi": "3.1.0", "servers": [{"url": "https://a.example/api/"}],
			"paths": {"/a": {"post": {"operationId": "make.a"}}}}`, []string{"make.a\tPOST\t/a\t/api\t"}},
		{"a/connexion.yml", "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: list\n" +
			"      x-openapi-router-controller: app.letters\n", []string{"app.letters.list\tGET\t/a\t\t"}},
		{"a/variable.yaml", "openapi: 3.0.0\nservers:\n  - url: https://{host}/api\npaths:\n  /a:\n    get:\n" +
			"      operationId: getA\n", []string{"getA\tGET\t/a\t\t"}},
		{"a/workflow.yaml", "paths:\n  /a:\n    get:\n      operationId: getA\n", nil},
		{"a/openapi.md", "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: getA\n", nil},
	} {
		var got []string
		for _, f := range services.Facts(&code.File{Path: c.path, Text: []byte(c.text)}, nil) {
			if f.Name == l2meta.RoleOperation {
				got = append(got, f.Type)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}
