package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/code"
	"sextant/internal/diagram"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// servicesFormats lists the values of services --format.
var servicesFormats = []string{"tree", "json", "mermaid", "svg"}

func (a *app) servicesCommand() *cobra.Command {
	format := "tree"
	cmd := &cobra.Command{
		Use: "services [FOLDER]", GroupID: "ask", Short: "Show the services of a workspace and the calls between them",
		Long: `Show which directories of a workspace are services, the routes that each
answers, the calls from one to another by HTTP, gRPC and messages, and the
calls that nothing in the workspace answers, with the reason.

Of a folder within a workspace, the services there are shown, and those linked
to them.

Services are deployed by a compose file, a Kubernetes manifest, a Dockerfile or
the like. Libraries and tests are listed apart. Numbers count call sites;
"likely" are those that evidence does not settle.`,
		Example: "  sextant services\n  sextant services --format mermaid\n" +
			"  sextant services --format svg > services.svg",
		Args: a.atMostPath,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.json {
				format = "json"
			}
			if !slices.Contains(servicesFormats, format) {
				known := strings.Join(servicesFormats, ", ")
				return &usageError{fmt.Errorf("--format: expected one of %s, got %q", known, format)}
			}
			return a.services(c.Context(), format)
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", format, "tree, json, mermaid or svg")
	a.jsonFlag(cmd)
	choices(cmd, "format", servicesFormats...)
	cmd.MarkFlagsMutuallyExclusive("json", "format")
	return cmd
}

// services prints the services of the workspace and the calls between them.
func (a *app) services(ctx context.Context, format string) error {
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	m, err := a.service.Services(ctx, path)
	switch {
	case err != nil:
		return err
	case format == "json":
		return a.printJSON(m, m.Status)
	case m.Status != contract.StatusOK:
		return failed(m.Outcome, path)
	}
	switch format {
	case "mermaid":
		_, err = fmt.Fprint(a.out, diagram.Mermaid(servicesPicture(m)))
	case "svg":
		_, err = fmt.Fprint(a.out, diagram.SVG(servicesPicture(m)))
	default:
		lines := servicesTree(m, func(file string) string { return shown(m.CodebaseRoot, file) })
		if m.Within != "" {
			lines = append(lines, typeset.Text(fmt.Sprintf("only %s and what is linked to it; of all: sextant services %s",
				m.Within, m.CodebaseRoot)))
		}
		err = a.sheet().say(lines...)
	}
	return err
}

// beside reports whether a service of the map is a library or tests, rather than deployed.
func beside(s *contract.MappedService) bool { return !isDeployed(s.Kind) }

// servicesPicture converts a map of services to a diagram: a box for each service,
// and for each library that calls or is called.
func servicesPicture(m *contract.ServiceMap) *diagram.Graph {
	p := &diagram.Graph{Title: "Services of " + path.Join(filepath.Base(m.CodebaseRoot), m.Within), ProvenName: "calls",
		PossibleName: "likely calls"}
	linked := map[string]bool{}
	for _, l := range m.Links {
		linked[l.From], linked[l.To] = true, true
		edge := diagram.Edge{From: "/" + l.From, To: "/" + l.To, Evidence: diagram.Proven, Label: l.Kind}
		for i := range l.Calls {
			edge.Possible = i < l.Candidates
			if edge.Possible {
				edge.Evidence = diagram.Syntactic
			} else {
				edge.Evidence = diagram.Proven
			}
			p.Edges = append(p.Edges, edge)
		}
	}
	for i := range m.Services {
		s := &m.Services[i]
		if beside(s) && !linked[s.Path] {
			continue
		}
		p.Nodes = append(p.Nodes, diagram.Node{ID: "/" + s.Path, Label: s.Name, Place: s.Path, Group: s.Kind})
	}
	if n := len(m.Unanswered); n > 0 {
		p.Note = count(n, "call") + " without an answer in the workspace: sextant services lists them."
	}
	return p
}

// maxRoutes is the largest number of routes that the tree lists for one service.
const maxRoutes = 12

// servicesTree returns the services and the calls between them as indented lines.
// shown converts the path of a file for display.
func servicesTree(m *contract.ServiceMap, shown func(file string) string) []typeset.Line {
	t := serviceTree{services: m, shown: shown, name: map[string]string{}}
	for _, s := range m.Services {
		t.name[s.Path] = s.Name
	}
	var libraries, tests []string
	for i := range m.Services {
		s := &m.Services[i]
		silent := !slices.ContainsFunc(m.Links,
			func(l contract.ServiceLink) bool { return l.From == s.Path || l.To == s.Path }) && len(s.Routes) == 0
		switch {
		case beside(s) && silent && s.Kind == "test":
			tests = append(tests, s.Name)
		case beside(s) && silent:
			libraries = append(libraries, s.Name)
		default:
			t.service(s)
		}
	}
	for _, rest := range []struct {
		title string
		names []string
	}{{"libraries", libraries}, {"tests", tests}} {
		if len(rest.names) > 0 {
			t.line(typeset.Part{Text: rest.title + ": " + strings.Join(rest.names, ", ")})
		}
	}
	if len(t.lines) == 0 {
		return []typeset.Line{typeset.Text("no services: nothing here has a manifest, a Dockerfile or a compose file")}
	}
	return t.lines
}

// serviceTree collects the lines that show the services of a workspace as a tree.
type serviceTree struct {
	services *contract.ServiceMap
	shown    func(file string) string
	name     map[string]string // path of a service → its name
	lines    []typeset.Line
}

func (t *serviceTree) line(parts ...typeset.Part) { t.lines = append(t.lines, parts) }

// service writes one service with its routes, the services that it calls, and its
// calls that no service answers.
func (t *serviceTree) service(s *contract.MappedService) {
	languages := s.Languages
	if len(languages) == 0 && s.Language != "" {
		languages = []string{s.Language}
	}
	at := s.Path
	if at == "" {
		at = "."
	}
	t.line(typeset.Part{Role: typeset.Name, Text: s.Name}, typeset.Part{Role: typeset.Dim,
		Text: "  " + strings.Join(append([]string{s.Kind}, languages...), ", ") + "  "},
		typeset.Part{Role: typeset.Path, Text: at},
		typeset.Part{Text: strings.Join(append([]string{""}, s.Names...), " ")})
	for i, r := range s.Routes {
		if i == maxRoutes {
			t.line(typeset.Part{Role: typeset.Dim,
				Text: fmt.Sprintf("  … %s more (--json)", count(len(s.Routes)-i, "route"))})
			break
		}
		t.line(typeset.Part{Text: "  " + r.Route + "  "},
			typeset.Part{Role: typeset.Path, Text: code.QuotePath(t.shown(r.File))},
			typeset.Part{Role: typeset.Lines, Text: fmt.Sprintf(":%d", r.Line)})
	}
	for _, l := range t.services.Links {
		if l.From != s.Path {
			continue
		}
		likely := ""
		if l.Candidates > 0 {
			likely = fmt.Sprintf(" (%d likely)", l.Candidates)
		}
		t.line(typeset.Part{Text: "  → "}, typeset.Part{Role: typeset.Name, Text: t.name[l.To]},
			typeset.Part{Text: fmt.Sprintf("  %s, %s%s", l.Kind, count(l.Calls, "call"), likely)})
	}
	for _, u := range t.services.Unanswered {
		if u.From == s.Path {
			t.line(typeset.Part{Text: fmt.Sprintf("  ? %s %s  ", u.Kind, u.Via)},
				typeset.Part{Role: typeset.Path, Text: code.QuotePath(t.shown(u.File))},
				typeset.Part{Role: typeset.Lines, Text: fmt.Sprintf(":%d", u.Line)},
				typeset.Part{Role: typeset.Dim, Text: "  " + u.Reason})
		}
	}
	t.line()
}
