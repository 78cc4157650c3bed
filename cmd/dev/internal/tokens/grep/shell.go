package grep

import (
	"iter"
	"regexp"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

// Tool is the name of the tool that runs a command line.
const Tool = "Bash"

// Shell runs the agents of this package on one repository.
type Shell struct {
	Repository *Repository
	pending    map[*tokens.Request]*printed
}

// Lean runs the agent that looks at matching lines.
func (s *Shell) Lean(t *tokens.Task) iter.Seq[*tokens.Request] { return s.play(t, (*turn).lean) }

// Reading runs the agent that reads the files that match.
func (s *Shell) Reading(t *tokens.Task) iter.Seq[*tokens.Request] { return s.play(t, (*turn).reading) }

// turn is an agent at work on one task.
type turn struct {
	shell *Shell
	repo  *Repository
	task  *tokens.Task
	lang  *language
	yield func(*tokens.Request) bool // passes on a request and waits for its answer; false: the agent must stop
	over  bool                       // whether yield has returned false
}

// play returns the requests of an agent for a task.
func (s *Shell) play(t *tokens.Task, agent func(*turn)) iter.Seq[*tokens.Request] {
	return func(yield func(*tokens.Request) bool) {
		agent(&turn{shell: s, repo: s.Repository, task: t, lang: languageOf(t), yield: yield})
	}
}

// run yields a command line as the agent's next request. The function print writes the output that
// the command would have. run reports whether the agent goes on.
func (t *turn) run(command string, print func(*printed)) bool {
	if t.over {
		return false
	}
	out := &printed{}
	print(out)
	request := &tokens.Request{Tool: Tool, Args: map[string]any{"command": command}}
	if t.shell.pending == nil {
		t.shell.pending = map[*tokens.Request]*printed{}
	}
	t.shell.pending[request] = out
	t.over = !t.yield(request)
	return !t.over
}

// Merge joins all requests to one call, with one command per line, as an agent does that searches
// for several things at once.
func (s *Shell) Merge(requests []*tokens.Request) []tokens.Call {
	var lines []string
	for _, r := range requests {
		lines = append(lines, r.Args["command"].(string))
	}
	return []tokens.Call{{
		Tool: Tool, Args: map[string]any{"command": strings.Join(lines, "\n")}, Requests: requests,
		Run: func(v *tokens.View) (string, error) {
			var text strings.Builder
			for _, r := range requests {
				out := s.pending[r]
				delete(s.pending, r)
				for _, p := range out.shown {
					v.Source(p.path, p.from, p.to)
				}
				r.Answer = out.text.String()
				text.WriteString(r.Answer)
			}
			return text.String(), nil
		},
	}}
}

var plainWord = regexp.MustCompile(`^[\w./@+:,=-]+$`)

// quoted returns a word, quoted for a shell if necessary.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
