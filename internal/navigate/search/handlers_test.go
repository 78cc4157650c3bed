package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestHandlerOfRouteComesFirst checks that a route leads to the function that handles it, although only the file
// of routes and a test contain its path.
func TestHandlerOfRouteComesFirst(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"Gemfile": "gem \"rails\"\n",
		"config/routes.rb": "Rails.application.routes.draw do\n  get \"/settings/2fa\" => \"settings#twofa\"\n" +
			"  resources :users\nend\n",
		"app/controllers/settings_controller.rb": "class SettingsController < ApplicationController\n" +
			"  def twofa\n    render :twofa\n  end\nend\n",
		"app/controllers/users_controller.rb": "class UsersController < ApplicationController\n" +
			"  def show\n    render :user\n  end\n\n  def update\n    render :user\n  end\nend\n",
		"app/models/user.rb": "class User\n  def has_2fa?\n    settings.any?\n  end\nend\n",
		"spec/requests/settings_spec.rb": "describe \"settings\" do\n  it \"GET /settings/2fa\" do\n" +
			"    get \"/settings/2fa\"\n  end\nend\n",
	})
	for query, want := range map[string]string{
		"/settings/2fa": "SettingsController.twofa", "GET /settings/2fa": "SettingsController.twofa",
		"\"/settings/2fa\"": "SettingsController.twofa", "GET /users/:id": "UsersController.show",
		"PATCH /users/7": "UsersController.update",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		if len(a.Results) == 0 {
			t.Errorf("%s: nothing", query)
			continue
		}
		if g := a.Results[0].(*contract.Group); g.SymbolLabel != want {
			t.Errorf("%s: first is %s %s, want %s", query, g.File, g.SymbolLabel, want)
		}
		for _, r := range a.Results {
			if g := r.(*contract.Group); g.SymbolLabel == "User.has_2fa?" {
				t.Errorf("%s: %s, which only shares words with the route", query, g.SymbolLabel)
			}
		}
	}
}

// TestQuotedTextComesFirst checks that lines with a quoted text of several words precede code with more of its words.
func TestQuotedTextComesFirst(t *testing.T) {
	b := navigatetest.Of(t, crowded())
	b.Write("odd/lock.go", "package odd\n\nfunc refuse() string {\n\tif true {\n\t\tprintln()\n\t}\n"+
		"\treturn \"tenant of this request is locked\"\n}\n")
	for _, query := range []string{`"tenant of this request"`, `who reads "tenant of this request"`} {
		g := b.Search(contract.SearchRequest{Query: query}).Results[0].(*contract.Group)
		if g.SymbolLabel != "refuse" {
			t.Errorf("%s: first is %s %s", query, g.File, g.SymbolLabel)
		}
	}
	for query, want := range map[string]bool{`"tenant of that request"`: true, `who reads "no such text"`: true,
		`"tenant of this request"`: false, `"Request tenant starter"`: true, `"tenant"`: false, `no such text`: false} {
		a := b.Search(contract.SearchRequest{Query: query})
		if got := slices.ContainsFunc(a.Warnings, func(w contract.Warning) bool {
			return w.Code == "QUOTED_TEXT_ABSENT"
		}); got != want {
			t.Errorf("%s: says that no line has it: %t", query, got)
		}
	}
}
