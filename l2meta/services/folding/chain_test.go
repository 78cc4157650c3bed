package folding

import (
	"fmt"
	"testing"
)

func TestChain(t *testing.T) {
	for expr, want := range map[string]string{
		`s.client.R().SetBody("").Get("/x")`: `s.client [{R []} {SetBody [""]} {Get ["/x"]}]`,
		`mux.NewRouter()`:                    `mux [{NewRouter []}]`,
		`router`:                             `router []`,
		`Router::new().route("/", get(list).post(make))`: `Router [{new []} {route ["/" get(list).post(make)]}]`,
		"b\n  .path(\"/a\") // why\n  .build()":          `b [{path ["/a"]} {build []}]`,
		`new RestClient("http://a")`:                     ` [{RestClient ["http://a"]}]`,
		`HttpClient(CIO) { url("x") }`:                   ` [{HttpClient [CIO { url("x") }]}]`,
		`x.Get<List<Item>>("/a")`:                        `x [{Get ["/a"]}]`,
		`"http://a".AppendPathSegment("b")`:              `"http://a" [{AppendPathSegment ["b"]}]`,
		`this.http?.baseUrl("a")`:                        `this.http [{baseUrl ["a"]}]`,
	} {
		root, steps := Chain(expr)
		if got := fmt.Sprintf("%s %v", root, steps); got != want {
			t.Errorf("%s: got %s, want %s", expr, got, want)
		}
	}
}
