package l2meta

// svelteRules reads a component as the page that it is: its script in its own
// language, its elements as HTML.
func svelteRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"element": htmlElement, "script_element": htmlScript, "style_element": htmlStyle},
	}
}
