package folding

import (
	"strings"
	"testing"

	"sextant/internal/code"
)

// TestFold folds the expression after "=>" in the last line of each file and compares the text.
func TestFold(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", `=> "http://" + host + "/x"`, "http://{host}/x"},
		{"go", "base := os.Getenv(\"A_URL\")\n=> fmt.Sprintf(\"%s/x/%d\", base, id)", "{env:A_URL}/x/{id}"},
		{"go", "mustMapEnv(&s.addr, \"A_ADDR\")\n=> s.addr + \"/x\"", "{env:A_ADDR}/x"},
		{"typescript", "const { A_URL = '' } = process.env;\n=> `${A_URL}/x/${encodeURIComponent(id)}`",
			"{env:A_URL}/x/{encodeURIComponent(id)}"},
		{"javascript", "=> process.env.A || 'http://localhost:1'", "{env:A|http%3A%2F%2Flocalhost%3A1}"},
		{"javascript", "=> new URL('/x', base)", "{base}/x"},
		{"python", "config[\"A\"] = 'http://{}/x'.format(\n    os.environ.get('A_ADDR'))\n=> f'{config[\"A\"]}/{id}'",
			"http://{env:A_ADDR}/x/{id}"},
		{"java", "f(@Value(\"http://${A_ADDR}/x\") String uri) {}\n=> uri + \"/\" + id", "http://{env:A_ADDR}/x/{id}"},
		{"csharp", "string root = \"api/\";\n=> $\"{root}items/by?ids={string.Join(\"&ids=\", ids)}\"",
			"api/items/by?ids={string.Join(\"&ids=\", ids)}"},
		{"ruby", "=> \"#{ENV['A_URL']}/x\"", "{env:A_URL}/x"},
		{"php", "=> $base . '/x'", "{$base}/x"},
		{"rust", "=> format!(\"{}/x\", std::env::var(\"A_URL\").unwrap())", "{env:A_URL}/x"},
		{"python", "class Orders:\n    TOPIC = 'orders'\n=> self.TOPIC", "orders"},
		{"go", "=> f(a, b)", "{f(a, b)}"},
		{"go", "a := b\nb := a\n=> a", "{a}"}, // circular definitions
	} {
		text, expr, _ := strings.Cut(c.text, "=> ")
		if got := New(&code.File{Language: c.language, Text: []byte(text)}).Fold(expr, len(text)); got != c.want {
			t.Errorf("%s: %q comes to %q, want %q", c.language, c.text, got, c.want)
		}
	}
}
