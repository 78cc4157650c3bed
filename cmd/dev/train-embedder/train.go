package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"sextant/cmd/dev/internal/contrast"
	"sextant/cmd/dev/internal/quality"
	"sextant/l1fts/embed"
)

// bucketWeight is the initial weight of the row of an n-gram. The initial weight of a word's row is
// a sixth of its inverse document frequency.
const bucketWeight = 1.5

// settings holds the hyper-parameters, chosen on the validation split.
type settings struct {
	Dimensions int
	Epochs     int
	// Batch is the number of pairs in a batch, a multiple of 16. A query must find its document
	// among them. The pairs are neighbours in a repository, so they are similar, and the subject of
	// the project does not suffice to tell them apart.
	Batch       int
	Learning    float64 // learning rate of the first step; it falls to lastLearning times that
	Dropout     float64 // share of the features of a query and of a document that are left out
	NameDropout float64 // share of documents without their name
	Seed        uint64
}

const lastLearning = 0.05

// train trains a model on the pairs of data.
func train(ctx context.Context, data *corpus, set settings, workers int, out io.Writer) (*contrast.Model, error) {
	model := contrast.New(data.vocabulary.Rows(), set.Dimensions, embed.FieldCount, set.Seed)
	for row := range model.Queries {
		w := float32(bucketWeight)
		if row < len(data.idf) {
			w = data.idf[row] / 6
		}
		model.Queries[row], model.Documents[row] = w, w
	}
	trainer := &contrast.Trainer{Model: model, Workers: workers}
	perEpoch := len(data.pairs)/set.Batch - 1
	if perEpoch < 1 {
		return nil, fmt.Errorf("%d pairs are too few: a batch is %d", len(data.pairs), set.Batch)
	}
	steps := perEpoch * set.Epochs
	batch := make([]contrast.Pair, set.Batch)
	for epoch := range set.Epochs {
		r := rand.New(rand.NewPCG(set.Seed, uint64(epoch)+2))
		shift := r.IntN(set.Batch)
		var loss float64
		for i, at := range r.Perm(perEpoch) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for k := range batch {
				batch[k] = drop(&data.pairs[shift+at*set.Batch+k], set, r)
			}
			done := float64(epoch*perEpoch+i) / float64(steps)
			loss += trainer.Step(batch, set.Learning*(1-(1-lastLearning)*done))
		}
		fmt.Fprintf(out, "epoch %d: loss %.4f, scale %.1f, fields %.2f\n", epoch+1, loss/float64(perEpoch),
			math.Exp(float64(model.Scale[0])), model.Fields)
		if err := report(ctx, data, model, quality.Validation, out); err != nil {
			return nil, err
		}
	}
	return model, nil
}

// drop returns a pair to train on. Its query is the sentence or the paragraph, chosen at random.
// It drops some features of the query and the document at random (dropout).
func drop(pair *features, set settings, r *rand.Rand) contrast.Pair {
	asked := pair.sentence
	if len(pair.paragraph) > 0 && r.IntN(2) == 0 {
		asked = pair.paragraph
	}
	named := r.Float64() >= set.NameDropout
	keep := func(list []contrast.Feature) []contrast.Feature {
		kept := make([]contrast.Feature, 0, len(list))
		for _, x := range list {
			if r.Float64() >= set.Dropout {
				kept = append(kept, x)
			}
		}
		if len(kept) == 0 {
			return list
		}
		return kept
	}
	document := pair.document
	if !named {
		rest := slices.DeleteFunc(slices.Clone(document),
			func(x contrast.Feature) bool { return x.Field == embed.FieldName })
		if len(rest) > 0 { // a glossary entry has only a name
			document = rest
		}
	}
	return contrast.Pair{Query: keep(asked), Document: keep(document)}
}

// tableOf rounds the numbers of a model to int8. In each row the largest becomes 127, and the
// weights of the row are multiplied with the scale.
func tableOf(c *corpus, model *contrast.Model) *embed.Table {
	table := &embed.Table{
		Vocabulary: c.vocabulary, Dimensions: model.Dimensions, Documents: make([]float32, model.Rows),
		Queries: make([]float32, model.Rows),
		Rows:    make([]int8, model.Rows*model.Dimensions), Fields: [embed.FieldCount]float32(model.Fields),
	}
	for row := range model.Rows {
		values := model.Table[row*model.Dimensions : (row+1)*model.Dimensions]
		var largest float32
		for _, x := range values {
			largest = max(largest, max(x, -x))
		}
		if largest == 0 {
			continue
		}
		scale := largest / 127
		for i, x := range values {
			table.Rows[row*model.Dimensions+i] = int8(math.Round(float64(x / scale)))
		}
		table.Documents[row], table.Queries[row] = model.Documents[row]*scale, model.Queries[row]*scale
	}
	return table
}

// write writes the table to file and returns its fingerprint.
func write(file string, t *embed.Table) (string, error) {
	data := t.Marshal()
	return embed.Fingerprint(data), os.WriteFile(file, data, 0o644)
}
