package services

import "testing"

// TestSpeaking tells arguments that may be part of an address from other texts, broken ones among them.
func TestSpeaking(t *testing.T) {
	for text, want := range map[string]bool{
		"/orders": true, "{base}/orders": true, "cart:8080": true, "{env:CART_URL}": true, "{self.URLS['orders']}{id}": true,
		"": false, "{": false, "{-": false, "{}": false, "{count}": false, "./x": false, "./x/y": true, "../x/y": false, "./../x/y": false, "two words": false,
	} {
		if got := speaking(text); got != want {
			t.Errorf("speaking(%q) = %v, want %v", text, got, want)
		}
	}
}
