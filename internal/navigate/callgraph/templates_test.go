package callgraph_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestTemplatesUnread checks that the callers of a method name the lines of templates that seem to call it, and no
// lines where its name is that of a class of a page, or code of another language.
func TestTemplatesUnread(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"app/models/user.rb": "class User\n  def can_flag?(story)\n    true\n  end\n\n  def reply\n  end\n\n" +
			"  def alone\n  end\nend\n",
		"app/views/show.html.erb":   "<p class=\"reply\">\n<% if @user.can_flag?(story) %>\n<%= can_flag?(x) %>\n</p>\n",
		"app/views/index.html.haml": "- if @user.can_flag? story\n.reply\n",
		"web/alone.cshtml":          "@Model.alone()\n",
	})
	for label, want := range map[string]string{
		"User.can_flag?": "templates, whose calls are not resolved, mention can_flag?: app/views/index.html.haml:1, " +
			"app/views/show.html.erb:2, app/views/show.html.erb:3",
		"User.alone": "", "User.reply": "",
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		got := ""
		for _, w := range a.Warnings {
			if code, text, _ := strings.Cut(w, ":"); code == "TEMPLATES_UNREAD" {
				got = text
			}
		}
		if a.Status != contract.StatusOK || got != want {
			t.Errorf("%s: %+v, %q, want %q", label, a.Outcome, got, want)
		}
	}
}
