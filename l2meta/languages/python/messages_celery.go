package python

import (
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Celery names a task "module.function" unless it has an explicit name. Code of the same program
// calls it as a function: send_mail.delay(user).

// task records a decorated function as a consumer of two names: the name of its task and the name
// of the function.
func task(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	name, ok := folding.Quoted(folding.Keyword(args, "name"))
	if !ok {
		name = strings.ReplaceAll(strings.TrimSuffix(r.File.Path, path.Ext(r.File.Path)), "/", ".") + "." + s.Name
	}
	r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: "celery", Key: name, Scope: s.Name})
	return true
}

// delayed records the call of a task, send_mail.delay(user), as a publication under the name of the function.
func delayed(r *services.Reader, c *code.Call) bool {
	name := folding.LastWord(c.Receiver)
	if name == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "celery", Scope: name})
	return true
}
