package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"sextant/cmd/dev/internal/contrast"
	"sextant/cmd/dev/internal/quality"
	"sextant/l1fts/embed"
)

const (
	// minFrequency is the least number of declarations that a stem must occur in
	// to get a row of the table.
	minFrequency = 3
	// maxPairs is the largest number of pairs of one source, so that no project's words dominate.
	// From a larger source, evenly spaced pairs are taken.
	maxPairs = 25_000
)

// corpus holds the pairs to train on, and the sources to evaluate on.
type corpus struct {
	vocabulary *embed.Vocabulary
	idf        []float32 // inverse document frequency of each word, by row
	pairs      []features
	held       []heldOut
}

// features holds the features of a pair, rows of the table with weights: of its two queries and
// its document.
type features struct{ sentence, paragraph, document []contrast.Feature }

// heldOut is a source that is not trained on, for evaluation.
type heldOut struct {
	quality.Source
	candidates []features // candidates without a sentence are not queried
}

// questionRepeats and glossaryRepeats are the numbers of passes per epoch over the hand-written
// questions and over the glossary. With them the questions are a fifth of the training data, and
// the glossary a sixteenth; the doc comments, which are many more, get one pass. Both numbers were
// chosen on the validation split.
const questionRepeats, glossaryRepeats = 4, 8

// load reads the pairs of all sources. It drops duplicates, and pairs that also occur in held-out
// sources. It builds a vocabulary of f.rows rows, f.buckets of them for n-grams. Last, it adds the
// questions and the glossary.
func (f *flags) load(ctx context.Context, out io.Writer) (*corpus, error) {
	list, err := quality.ReadList(f.list)
	if err != nil {
		return nil, err
	}
	bySource, err := f.readAll(ctx, list)
	if err != nil {
		return nil, err
	}
	train := deduplicate(list, bySource)
	languages := map[string]int{}
	for i := range train {
		languages[train[i].Language]++
	}
	fmt.Fprintf(out, "%d pairs to train on: %v\n", len(train), languages)
	asked, err := readQuestions(f.questions, list, train)
	if err != nil {
		return nil, err
	}
	explained, err := readGlossary(f.glossary)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%d questions, %d words of a glossary\n", len(asked), len(explained))
	c := &corpus{}
	c.count(train, f.rows-f.buckets, f.buckets)
	c.pairs = c.encode(train, f.workers)
	c.pairs = append(c.pairs, slices.Repeat(c.encode(asked, f.workers), questionRepeats)...)
	c.pairs = append(c.pairs, slices.Repeat(c.encode(explained, f.workers), glossaryRepeats)...)
	for i, s := range list {
		if s.Split == quality.Validation || s.Split == quality.Test && f.test {
			c.held = append(c.held, heldOut{s, c.encode(bySource[i], f.workers)})
		}
	}
	return c, nil
}

// readAll returns the pairs of each source, including test repositories, whose
// contents must be excluded from training.
func (f *flags) readAll(ctx context.Context, list []quality.Source) ([][]pair, error) {
	out, errs := make([][]pair, len(list)), make([]error, len(list))
	var wg sync.WaitGroup
	next := make(chan int)
	for range f.workers {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = pairsOf(ctx, list[i], f.corpus, f.pairs)
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].Repository, err)
		}
	}
	return out, nil
}

// deduplicate returns the pairs to train on, in the order of the list. No two have the same
// sentence or the same body, and none has a sentence or body of a source for evaluation.
func deduplicate(list []quality.Source, bySource [][]pair) []pair {
	key := func(kind, text string) uint64 {
		h := fnv.New64a()
		io.WriteString(h, kind+strings.ToLower(strings.Join(strings.Fields(text), " ")))
		return h.Sum64()
	}
	sentence := func(p *pair) uint64 { return key("s", p.Sentence) }
	body := func(p *pair) uint64 {
		if len(p.Body) < 60 { // too short to identify a function
			return key("b", p.Name+" "+p.Signature+" "+p.Body)
		}
		return key("b", p.Body)
	}
	seen := map[uint64]bool{}
	for i, s := range list {
		for j := range bySource[i] {
			if s.Split != quality.Train {
				seen[sentence(&bySource[i][j])], seen[body(&bySource[i][j])] = true, true
			}
		}
	}
	var train []pair
	for i, s := range list {
		if s.Split != quality.Train {
			continue
		}
		var kept []pair
		for _, p := range bySource[i] {
			if p.Sentence == "" || seen[sentence(&p)] || seen[body(&p)] {
				continue
			}
			seen[sentence(&p)], seen[body(&p)] = true, true
			p.repository = s.Repository
			kept = append(kept, p)
		}
		if len(kept) <= maxPairs {
			train = append(train, kept...)
			continue
		}
		for k := range maxPairs {
			train = append(train, kept[k*len(kept)/maxPairs])
		}
	}
	return train
}

// count builds the vocabulary from the most frequent stems.
func (c *corpus) count(train []pair, words, buckets int) {
	frequency, last := map[string]int{}, map[string]int{}
	for i := range train {
		p := &train[i]
		for _, text := range []string{p.Sentence, p.Paragraph, p.Name, p.Signature, p.Path, p.Body} {
			embed.Stems(text, func(stem []byte) {
				if last[string(stem)] != i+1 {
					last[string(stem)] = i + 1
					frequency[string(stem)]++
				}
			})
		}
	}
	list := make([]string, 0, len(frequency))
	for w, n := range frequency {
		if n >= minFrequency {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(frequency[b], frequency[a]),
			cmp.Compare(a, b))
	})
	list = list[:min(len(list), words)]
	c.vocabulary = embed.NewVocabulary(list, buckets)
	for _, w := range list {
		c.idf = append(c.idf, float32(math.Log(float64(len(train))/float64(frequency[w]))))
	}
}

// encode turns pairs into features, in order.
func (c *corpus) encode(list []pair, workers int) []features {
	out := make([]features, len(list))
	var wg sync.WaitGroup
	size := (len(list) + workers) / workers
	for from := 0; from < len(list); from += size {
		wg.Go(func() {
			bags := embed.NewBags(c.vocabulary)
			for i := from; i < min(from+size, len(list)); i++ {
				p := &list[i]
				out[i].sentence = query(bags, p.Sentence)
				out[i].paragraph = query(bags, p.Paragraph)
				bags.Document(p.document(), func(field int, features []embed.Feature) {
					for _, f := range features {
						out[i].document = append(out[i].document,
							contrast.Feature{Row: f.Row, Field: int32(field), Weight: f.Weight})
					}
				})
				out[i].document = slices.Clip(out[i].document)
			}
		})
	}
	wg.Wait()
	return out
}

// query returns the features of a query.
func query(bags *embed.Bags, text string) []contrast.Feature {
	var out []contrast.Feature
	for _, f := range bags.Text(text) {
		out = append(out, contrast.Feature{Row: f.Row, Weight: f.Weight})
	}
	return slices.Clip(out)
}
