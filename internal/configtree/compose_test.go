package configtree

import "testing"

func TestIsCompose(t *testing.T) {
	for text, want := range map[string]bool{
		"version: '3'\nservices:\n  # the shop\n  orders:\n    image: shop/orders\n":      true,
		"services:\n  orders:\n    environment:\n      API_KEY: ********\n    build: .\n": true,
		"services:\r\n  orders:\r\n    build: .\r\n":                                      true,
		"services:\n  App\\Mailer:\n    arguments: ['%image:size%']\n":                    false, // of Symfony
		"services:\n  - image: shop/orders\n":                                             false,
		"spec:\n  services:\n    orders:\n      image: shop/orders\n":                     false,
		"": false,
	} {
		if got := IsCompose(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
