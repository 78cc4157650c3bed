package quality

import (
	"math/rand/v2"
	"slices"
)

// Metrics summarises the ranks of right answers in search results. MRR is the mean reciprocal rank
// within the first ten; At1, At5 and At10 are the shares of questions answered within so many
// results.
type Metrics struct {
	Questions int        `json:"questions"`
	MRR       float64    `json:"mrr10"`
	Interval  [2]float64 `json:"mrr10_95"` // 95 % interval by bootstrap over questions
	At1       float64    `json:"acc1"`
	At5       float64    `json:"acc5"`
	At10      float64    `json:"acc10"`
}

// Measure computes the metrics of ranks; a rank of 0 means not found.
func Measure(ranks []int) Metrics {
	metrics := Metrics{Questions: len(ranks)}
	if len(ranks) == 0 {
		return metrics
	}
	n := float64(len(ranks))
	values := make([]float64, len(ranks))
	for i, r := range ranks {
		values[i] = reciprocal(r)
		metrics.MRR += values[i] / n
		for _, at := range []struct {
			share *float64
			limit int
		}{{&metrics.At1, 1}, {&metrics.At5, 5}, {&metrics.At10, 10}} {
			if r > 0 && r <= at.limit {
				*at.share += 1 / n
			}
		}
	}
	metrics.Interval = bootstrap(values)
	return metrics
}

func reciprocal(rank int) float64 {
	if rank < 1 || rank > 10 {
		return 0
	}
	return 1 / float64(rank)
}

// Difference returns how much higher the reciprocal rank of a question is in
// ranks than in baseline, as the mean over the questions and its 95 % interval.
func Difference(ranks, baseline []int) (mean float64, interval [2]float64) {
	values := make([]float64, len(ranks))
	for i := range ranks {
		values[i] = reciprocal(ranks[i]) - reciprocal(baseline[i])
		mean += values[i] / float64(len(ranks))
	}
	return mean, bootstrap(values)
}

// resamples is the number of bootstrap samples for an interval.
const resamples = 2000

// bootstrap returns the 95 % interval of the mean of values, by percentiles
// (Efron, 1979), with a fixed seed.
func bootstrap(values []float64) [2]float64 {
	if len(values) == 0 {
		return [2]float64{}
	}
	r := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, resamples)
	for i := range means {
		for range values {
			means[i] += values[r.IntN(len(values))]
		}
		means[i] /= float64(len(values))
	}
	slices.Sort(means)
	return [2]float64{means[resamples*25/1000], means[resamples*975/1000]}
}
