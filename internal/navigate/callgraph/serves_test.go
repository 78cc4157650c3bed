package callgraph_test

import (
	"fmt"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestHandlersWithoutCallersSayWhatTheyAnswer checks that an answer without callers names the route
// that the symbol handles. The client here calls it by an address that cannot be resolved.
func TestHandlersWithoutCallersSayWhatTheyAnswer(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"api/pyproject.toml": "[project]\nname = \"api\"\ndependencies = [\"fastapi\"]\n",
		"api/main.py": "from fastapi import FastAPI\n\napp = FastAPI()\n\n" +
			"@app.get('/items/{id}')\ndef list_items(id):\n    return []\n\n" +
			"def unused():\n    pass\n",
		"shop/Gemfile": "gem \"rails\"\n",
		"shop/config/routes.rb": "Rails.application.routes.draw do\n" +
			"  get \"/settings/2fa\" => \"settings#twofa\"\nend\n",
		"shop/app/controllers/settings_controller.rb": "class SettingsController < ApplicationController\n" +
			"  def twofa\n  end\n\n  def other\n  end\nend\n",
		"desk/mix.exs": "defmodule Desk.MixProject do\n  defp deps, do: [{:phoenix, \"~> 1.7\"}]\nend\n",
		"desk/lib/router.ex": "defmodule DeskWeb.Router do\n  use Phoenix.Router\n\n  scope \"/api\", DeskWeb do\n" +
			"    get \"/desks/:id\", DeskController, :show\n  end\nend\n",
		"desk/lib/desk_controller.ex": "defmodule DeskWeb.DeskController do\n  use DeskWeb, :controller\n\n" +
			"  def show(conn, _), do: conn\nend\n",
		"web/package.json": `{"name": "web", "dependencies": {"axios": "1"}}`,
		"web/client.js": "const axios = require('axios');\nfunction load(routes) { return " +
			"axios.get(routes.items); }\n",
	})
	mentions := map[string]string{"list_items": "items", "SettingsController.twofa": "2fa", "unused": "unused"}
	for label, want := range map[string]string{
		"list_items": "GET /items/{} api/main.py:6", "unused": "", "SettingsController.other": "",
		"SettingsController.twofa":    "GET /settings/2fa shop/config/routes.rb:2",
		"DeskWeb.DeskController.show": "GET /api/desks/{} desk/lib/router.ex:5",
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.DirectionCallers})
		e, got := a.InboundCoverageEvidence, ""
		if e == nil {
			t.Errorf("%s: called by %+v", label, a.Edges)
			continue
		}
		for _, s := range e.Serves {
			got += fmt.Sprintf("%s %s:%d", s.Via, s.File, s.StartLine)
		}
		if got != want {
			t.Errorf("%s answers %q, want %q, with %+v", label, got, want, a.Edges)
		}
		next := a.Hints.NextSteps[0].Args.(*contract.SearchRequest)
		if word := mentions[label]; word != "" && next.Query != "must:"+word+" "+word {
			t.Errorf("%s: requests are looked for by %q, want %s", label, next.Query, word)
		}
	}
}
