package services

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
)

// BenchmarkHosts reads a manifest that sets many variables of one workload without a name. Its time
// must grow linearly.
func BenchmarkHosts(b *testing.B) {
	for _, lines := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := "kind: Deployment\nmetadata:\n  labels: {}\nenv:\n" +
				strings.Repeat("  ORDERS_URL: http://orders:80\n", lines)
			f := &code.File{Path: "k8s/web.yaml", Language: "yaml", Text: []byte(text)}
			for b.Loop() {
				if got := len(hostEndpoints(f)); got != maxHosts {
					b.Fatalf("%d variables, expected %d", got, maxHosts)
				}
			}
		})
	}
}
