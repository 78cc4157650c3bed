package main

import (
	"context"
	"fmt"
	"io"

	"sextant/cmd/dev/internal/contrast"
)

// maxQueries is the largest number of queries per source; they are evenly spaced.
const maxQueries = 500

// report prints how well the model m alone finds declarations by their doc
// comments, in the sources of a split: the mean reciprocal rank within the
// first ten results, and the share of declarations among the first ten.
func report(ctx context.Context, c *corpus, m *contrast.Model, split string, out io.Writer) error {
	var sumRank, sumFound float64
	n := 0
	for _, h := range c.held {
		if h.Split != split {
			continue
		}
		rank, found, err := judge(ctx, m, h.candidates)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-28s %.3f %.3f\n", h.Repository, rank, found)
		sumRank, sumFound, n = sumRank+rank, sumFound+found, n+1
	}
	if n > 0 {
		fmt.Fprintf(out, "  %-28s %.4f %.4f\n", split, sumRank/float64(n), sumFound/float64(n))
	}
	return nil
}

// judge queries declarations by their doc comments. It returns the mean
// reciprocal rank within the first ten results, and the share of declarations
// among the first ten.
func judge(ctx context.Context, model *contrast.Model, candidates []features) (rank, found float64, err error) {
	vectors := make([]float32, len(candidates)*model.Dimensions)
	var asked []int
	for i := range candidates {
		model.Document(candidates[i].document, vectors[i*model.Dimensions:(i+1)*model.Dimensions])
		if len(candidates[i].sentence) > 0 {
			asked = append(asked, i)
		}
	}
	n := min(len(asked), maxQueries)
	query := make([]float32, model.Dimensions)
	for k := range n {
		i := asked[k*len(asked)/n]
		model.Query(candidates[i].sentence, query)
		own := contrast.Dot(query, vectors[i*model.Dimensions:(i+1)*model.Dimensions])
		better := 0
		for j := range candidates {
			if contrast.Dot(query, vectors[j*model.Dimensions:(j+1)*model.Dimensions]) > own {
				better++
			}
		}
		if better < 10 {
			rank += 1 / float64(better+1) / float64(n)
			found += 1 / float64(n)
		}
		if k%64 == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
	}
	return rank, found, nil
}
