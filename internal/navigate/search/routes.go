package search

import (
	"context"
	"regexp"
	"strings"
	"time"

	"sextant/internal/navigate/symbols"
)

// routeFirst is the boost of the function that handles a queried route. It puts the handler above the lines that
// contain the path, such as those of tests and clients, and below files that have it.
const routeFirst = (foundFirst + fileFirst) / 2

// mostHandlers bounds the number of functions that are boosted for one route. If more functions
// handle it, its path is not specific.
const mostHandlers = 5

// routesTime bounds the time for the routes of a workspace. They are in memory after the first call graph; on
// a large root, to derive them for a text such as /etc/hosts would take longer than the search.
const routesTime = 300 * time.Millisecond

// askedRoute matches a query that is a route: /orders/:id, GET /orders/{id}.
var askedRoute = regexp.MustCompile(
	`^(?i:(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|ANY) )?(/[^\s?#]*\w[^\s?#]*)(?:[?#]\S*)?$`)

// routeAsked returns the route that a query denotes, such as "ANY /orders/:id" for the path
// alone. It returns "" if the query is no route.
func routeAsked(query string) string {
	m := askedRoute.FindStringSubmatch(query)
	if m == nil {
		return ""
	}
	method := strings.ToUpper(m[1])
	if method == "" {
		method = "ANY"
	}
	return method + " " + m[2]
}

// addRoutes adds the functions that handle the route that the query denotes. In many frameworks,
// routes are declared apart from their handlers, and most put their paths together from mounts.
// So a handler need not contain the path.
func (p *pool) addRoutes(ctx context.Context) error {
	route := routeAsked(p.query.Text)
	if route == "" {
		return nil
	}
	// While the index is being built, routes would be computed anew for each state of it.
	if whole, err := p.place.Root.Whole(ctx); err != nil || !whole {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, routesTime)
	defer cancel()
	at := symbols.Snapshot{View: p.view, Generation: p.generation, Services: p.services}
	rows, err := p.service.symbols.Answering(limited, p.place, at, route)
	if limited.Err() != nil && ctx.Err() == nil || len(rows) > mostHandlers {
		return nil // other candidates do not depend on it
	}
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		if !p.passes(row.Path, row.Language, row.Class) {
			continue
		}
		c := p.candidate(row)
		c.row, c.symbol = row, row.Index
		c.lift(routeFirst, 0)
		p.routed = true
	}
	return nil
}
