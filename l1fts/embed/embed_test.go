package embed

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestStems(t *testing.T) {
	for text, want := range map[string]string{
		"HTTPServer.refreshSession(user_ids)":           "http server refresh sess user ids",
		"sha256_sum parseURLs x IDs v2Client":           "sha 256 sum pars url ids client",
		"validate validates validated validating":       "validat validat validat validat",
		"validation queries query boxes classes":        "validat query query box class",
		"stopped stopping caching calls called":         "stop stop cach call call",
		"über die Größe, 漢字仮":                           "über die größe 漢字 字仮",
		strings.Repeat("a", 40) + " __init__ need this": "init need this",
	} {
		var got []string
		Stems(text, func(s []byte) { got = append(got, string(s)) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzStems(f *testing.F) {
	f.Add("HTTPServer über 漢字 \xff\xfe a1B2")
	f.Fuzz(func(t *testing.T, text string) {
		Stems(text, func(s []byte) {
			if len(s) == 0 || len(s) > maxStem+4 {
				t.Errorf("stem %q", s)
			}
		})
		NewBags(NewVocabulary([]string{"a", "b"}, 16)).Text(text)
	})
}

func small() *Table {
	v := NewVocabulary([]string{"server", "sess"}, 8)
	t := &Table{Vocabulary: v, Dimensions: 16, Fields: [FieldCount]float32{1, 1, 1, 1}}
	for r := range v.Rows() {
		t.Documents, t.Queries = append(t.Documents, 1), append(t.Queries, 1)
		for i := range 16 {
			t.Rows = append(t.Rows, int8((r*37+i*11)%100-50))
		}
	}
	return t
}

func TestTable(t *testing.T) {
	file := small().Marshal()
	parsed, err := Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(parsed.Marshal(), file) {
		t.Error("a table that was read is written in another way")
	}
	for n := range len(file) {
		if _, err := Parse(file[:n]); err == nil {
			t.Fatalf("%d bytes of %d were taken for a table", n, len(file))
		}
	}
	other := bytes.Clone(file)
	other[len(magic)+20]++
	if Fingerprint(other) == Fingerprint(file) {
		t.Error("two tables have one fingerprint")
	}
}

func TestBags(t *testing.T) {
	b := NewBags(NewVocabulary([]string{"server", "sess"}, 8))
	got := b.Text("server Server sessions")
	norm := 1 / math.Sqrt(3)
	if len(got) != 2 || got[0].Row != 0 || got[1].Row != 1 ||
		math.Abs(float64(got[0].Weight)-norm*(1+math.Log(2))) > 1e-6 || math.Abs(float64(got[1].Weight)-norm) > 1e-6 {
		t.Errorf("features %v", got)
	}
	got = b.Text("zq") // <zq>: <zq, zq>, <zq>
	var sum float32
	for _, f := range got {
		if f.Row < 2 || f.Row >= 10 {
			t.Errorf("an n-gram is in row %d", f.Row)
		}
		sum += f.Weight
	}
	if len(got) != 3 || math.Abs(float64(sum)-1/math.Sqrt(2)) > 1e-6 {
		t.Errorf("features %v of a stem without a row", got)
	}
	if lastSteps("a/b/c/d/e.go") != "b/c/d/e.go" || lastSteps("e.go") != "e.go" {
		t.Error("not the last steps of a path")
	}
}

// TestQueryOfUnknownWords checks that a question has no vector if the table knows under half of its
// stems.
func TestQueryOfUnknownWords(t *testing.T) {
	e := NewEncoder(small(), "small")
	for text, want := range map[string]bool{"server": true, "server zq": true, "server zq qz": false,
		"创建连接池": false, "": false} {
		v, err := e.Query(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(v, func(x float32) bool { return x != 0 }); got != want {
			t.Errorf("%q has a vector: %t", text, got)
		}
	}
}

// TestEncoder checks that a vector does not depend on texts embedded before it
// or with it.
func TestEncoder(t *testing.T) {
	e := NewEncoder(small(), "small")
	docs := []Document{{Name: "Serve", Body: "session.server(x)"}, {Path: "a/server.go"}, {}}
	both, err := e.Documents(context.Background(), docs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		one, _ := e.Documents(context.Background(), docs[i:i+1])
		if !slices.Equal(one[0], both[i]) {
			t.Errorf("document %d has another vector alone", i)
		}
		var length float64
		for _, x := range both[i] {
			length += float64(x) * float64(x)
		}
		if want := 1 - float64(i/2); math.Abs(length-want) > 1e-5 {
			t.Errorf("document %d has length %g", i, length)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Documents(ctx, docs); err == nil {
		t.Error("a cancelled call gives vectors")
	}
}
