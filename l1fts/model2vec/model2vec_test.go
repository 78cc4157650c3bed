package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/l1fts/embed"
)

type tensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
	data    []byte
}

// model writes a folder with these tensors and returns its path.
func model(t testing.TB, vocabulary map[string]int, list map[string]tensor) string {
	t.Helper()
	dir := t.TempDir()
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for name, x := range list {
		x.Offsets = [2]int{len(data), len(data) + len(x.data)}
		data = append(data, x.data...)
		header[name] = x
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	write(t, filepath.Join(dir, "model.safetensors"), append(append(file, text...), data...))
	words, err := json.Marshal(map[string]any{"version": "1.0",
		"normalizer":    map[string]any{"type": "BertNormalizer", "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]",
			"continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "tokenizer.json"), words)
	return dir
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

var vocabulary = map[string]int{"[UNK]": 0, "parse": 1, "##r": 2, "json": 3, ".": 4, "grüß": 5, "##e": 6, "語": 7}

func f32(list ...float32) (b []byte) {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func f16(list ...uint16) (b []byte) {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

var table = tensor{Type: "F32", Shape: []int{8, 2}, data: f32(9, 9, 1, 0, 0, 1, 3, 4, 0, 0, 1, 1, 1, 1, 5, 0)}

func TestTokens(t *testing.T) {
	m, err := Open(model(t, vocabulary, map[string]tensor{"embeddings": table}))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int{
		"parse":                       {1},
		"Parser.JSON":                 {1, 2, 4, 3},
		"  parse\tjson\n":             {1, 3},
		"parsex":                      nil, // a part is unknown
		"xparse parse":                {1},
		"Grüße 語語":                    {5, 6, 7, 7},
		"":                            nil,
		"pa\x00rse":                   {1},
		strings.Repeat("parse ", 600): slices.Repeat([]int{1}, maxTokens),
	} {
		if got := m.tokens.encode(text, maxTokens); !slices.Equal(got, want) {
			t.Errorf("%q is %v, expected %v", text, got, want)
		}
	}
	if got := m.tokens.encode(strings.Repeat("r", 101), 10); got != nil {
		t.Errorf("a word of 101 characters is %v", got)
	}
}

func TestVectors(t *testing.T) {
	half := tensor{Type: "F16", Shape: []int{8, 2},
		data: f16(0, 0, 0x3c00, 0, 0, 0x3c00, 0x4200, 0x4400, 0, 0, 0, 0, 0, 0, 0, 0)}
	brain := tensor{Type: "BF16", Shape: []int{8, 2},
		data: f16(0, 0, 0x3f80, 0, 0, 0x3f80, 0x4040, 0x4080, 0, 0, 0, 0, 0, 0, 0, 0)}
	for name, dir := range map[string]string{
		"F32":  model(t, vocabulary, map[string]tensor{"embeddings": table}),
		"F16":  model(t, vocabulary, map[string]tensor{"embeddings": half}),
		"BF16": model(t, vocabulary, map[string]tensor{"embeddings": brain}),
		"weights": model(t, vocabulary, map[string]tensor{"embeddings": table,
			"weights": {Type: "F32", Shape: []int{8}, data: f32(1, 1, 1, 1, 1, 1, 1, 1)}}),
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			// parse json: (1,0) + (3,4) = (4,4).
			v, err := m.Query(t.Context(), "parse json")
			if err != nil || len(v) != 2 || math.Abs(float64(v[0])-math.Sqrt(0.5)) > 1e-6 ||
				math.Abs(float64(v[1])-math.Sqrt(0.5)) > 1e-6 {
				t.Errorf("%v, %v", v, err)
			}
			list, err := m.Documents(t.Context(), []embed.Document{{Name: "parse", Body: "json"}, {Body: "unheard"}})
			if err != nil || !slices.Equal(list[0], v) || !slices.Equal(list[1], []float32{0, 0}) {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
	m, err := Open(model(t, vocabulary, map[string]tensor{"embeddings": {Type: "F32", Shape: []int{2, 2},
		data: f32(1, 0, 0, 2)},
		"mapping": {Type: "I64", Shape: []int{8},
			data: binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(make([]byte, 16), 0), 1)[:32:32]}}))
	if err == nil {
		t.Errorf("a mapping that is cut off passes: %v", m.fingerprint)
	}
}

func TestFingerprintFollowsTheBytes(t *testing.T) {
	a, err := Open(model(t, vocabulary, map[string]tensor{"embeddings": table}))
	if err != nil {
		t.Fatal(err)
	}
	other := table
	other.data = slices.Clone(table.data)
	other.data[3]++
	b, err := Open(model(t, vocabulary, map[string]tensor{"embeddings": other}))
	if err != nil {
		t.Fatal(err)
	}
	hash := func(m *Model) string { return m.Fingerprint()[strings.LastIndex(m.Fingerprint(), "/"):] }
	if hash(a) == hash(b) || a.Dimensions() != 2 {
		t.Errorf("%s and %s", a.Fingerprint(), b.Fingerprint())
	}
}

func TestDamagedModels(t *testing.T) {
	good := model(t, vocabulary, map[string]tensor{"embeddings": table})
	data, err := os.ReadFile(filepath.Join(good, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"missing": t.TempDir(),
		"other shape": model(t, vocabulary, map[string]tensor{"embeddings": {Type: "F32", Shape: []int{16},
			data: table.data}}),
		"huge shape": model(t, vocabulary, map[string]tensor{"embeddings": {Type: "F32",
			Shape: []int{1 << 40, 1 << 40}, data: table.data}}),
		"few rows": model(t, vocabulary, map[string]tensor{"embeddings": {Type: "F32", Shape: []int{2, 2},
			data: table.data[:16]}}),
		"other type": model(t, vocabulary, map[string]tensor{"embeddings": {Type: "Q4", Shape: []int{8, 2},
			data: table.data}}),
		"no table":     model(t, vocabulary, map[string]tensor{"table": table}),
		"negative ids": model(t, map[string]int{"a": -1}, map[string]tensor{"embeddings": table}),
		"no words":     model(t, map[string]int{}, map[string]tensor{"embeddings": table}),
	}
	for _, n := range []int{0, 7, 20, len(data) - 1} {
		dir := model(t, vocabulary, map[string]tensor{"embeddings": table})
		write(t, filepath.Join(dir, "model.safetensors"), data[:n])
		cases[fmt.Sprint("cut at ", n)] = dir
	}
	other := model(t, vocabulary, map[string]tensor{"embeddings": table})
	write(t, filepath.Join(other, "tokenizer.json"), []byte(`{"model":{"type":"Unigram","vocab":[["a",-1]]}}`))
	cases["unigram"] = other
	for name, dir := range cases {
		if _, err := Open(dir); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}
