package search

import (
	"math"
	"strings"
	"testing"

	"sextant/l1fts"
)

func TestBeginsWord(t *testing.T) {
	for _, c := range []struct {
		text, term string
		want       bool
	}{
		{"func readFile()", "file", true},
		{"profile of a run", "file", false},
		{"profile_file", "file", true},
		{"HTTPServer", "server", true},
		{"HTTPServer", "ttp", false},
		{"OBSERVERS", "server", false},
		{"parseURLs", "url", true},
		{"sha256sum", "sum", true},
		{"a truncated run", "run", true},
		{"", "run", false},
		{"// 创建数据源连接池", "连接", true},
		{"// 创建数据源", "连接", false},
		{"Übertragung läuft", "tragung", false},
		{"\u212a and profile", "file", true}, // the Kelvin sign has another length in lower case
	} {
		if got := beginsWord(c.text, strings.ToLower(c.text), c.term); got != c.want {
			t.Errorf("%q begins a word of %q: %t", c.term, c.text, got)
		}
	}
}

// TestQueryTermsOfIdeographs checks that ideographs are cut as the index cuts them, and that a
// sentence of them counts as a question.
func TestQueryTermsOfIdeographs(t *testing.T) {
	for text, want := range map[string]string{
		"创建HttpClient连接池": "创建 httpclient 连接 接池", "池 的x": "池 的", "仮名 base": "仮名 base",
		"closing the pools": "clos pool",
	} {
		if got := strings.Join(queryTerms(text), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"创建数据源连接池": 4, "创建连接": 2, "a 创建 b": 3, "close the pool": 3} {
		if got := countWords(text); got != want {
			t.Errorf("%s: %d words, want %d", text, got, want)
		}
	}
}

// TestWeigh checks that a rare word has a greater share of a question than a common one, and an
// unknown word the greatest.
func TestWeigh(t *testing.T) {
	r := &terms{list: queryTerms("retrying the zeppelin request")}
	r.weigh(l1fts.Stats{Chunks: 1000,
		Terms: []l1fts.Term{{Word: "request", Frequency: 400}, {Word: "retrying", Frequency: 10}, {Word: "zeppelin"}}})
	retry, zeppelin, request := r.rarity[0], r.rarity[1], r.rarity[2]
	if !(zeppelin > retry && retry > request && request > 0) || math.Abs(retry+zeppelin+request-1) > 1e-9 {
		t.Errorf("rarities of %v: %v", r.list, r.rarity)
	}
	if got := r.share("func retryRequest() {}"); math.Abs(got-retry-request) > 1e-9 {
		t.Errorf("share %g, want %g", got, retry+request)
	}
}

// TestWeighIdeographs checks that a pair between two words of a sentence of ideographs does not count,
// and that a word that occurs nowhere does.
func TestWeighIdeographs(t *testing.T) {
	r := &terms{list: queryTerms("如何关闭连接池")}
	known := []l1fts.Term{{Word: "关闭", Frequency: 3}, {Word: "连接", Frequency: 3}, {Word: "接池", Frequency: 3}}
	r.weigh(l1fts.Stats{Chunks: 100, Terms: known})
	if got := r.share("// 关闭连接池"); math.Abs(got-1) > 1e-9 || r.unknown {
		t.Errorf("share %g of %v, unknown %t", got, r.list, r.unknown)
	}
	r = &terms{list: queryTerms("关闭飞船连接")}
	r.weigh(l1fts.Stats{Chunks: 100, Terms: known[:2]})
	if got := r.share("// 关闭连接"); got > 0.7 || !r.unknown {
		t.Errorf("share %g of %v, unknown %t", got, r.list, r.unknown)
	}
}
