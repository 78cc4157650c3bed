package python

import (
	"path"
	"slices"
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

// classTasks records the tasks that classes are: class Upload(BaseTask, name=UPLOAD), or with a field name = "upload".
// The method run handles the messages. A base of the program's own may leave a part of run to its heirs, run_impl.
func classTasks(r *services.Reader) {
	if !r.Mentions("celery") {
		return
	}
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind != code.KindClass || !extendsTask(r.File, i) {
			continue
		}
		name, run := taskName(r, i), runOf(r.File, i)
		if name != "" && run >= 0 {
			r.KeepMessage(services.Consumes, run, r.File.Symbols[run].NameSpan, services.End{Broker: "celery", Key: name})
		}
	}
}

// extendsTask reports whether the name of a base of a class ends in Task: app.Task, BaseTask.
func extendsTask(f *code.File, class int) bool {
	return slices.ContainsFunc(f.Facts, func(fact code.Fact) bool {
		return fact.Kind == code.FactBase && fact.Owner == class && strings.HasSuffix(folding.LastWord(fact.Type), "Task")
	})
}

// taskName returns the folded name of the task that a class is, "" if the class does not name it.
func taskName(r *services.Reader, class int) string {
	s := &r.File.Symbols[class]
	if header := strings.TrimSpace(r.Text[s.NameSpan.EndByte:s.Span.EndByte]); strings.HasPrefix(header, "(") {
		if name := folding.Keyword(folding.ListItems(header[1:]), "name"); name != "" {
			return r.Topic(name, s.Span.StartByte)
		}
	}
	for i := range r.File.Symbols {
		if m := &r.File.Symbols[i]; m.Parent == class && m.Name == "name" && !m.Kind.Callable() {
			if _, value, ok := strings.Cut(r.Expression(m.NameSpan.StartByte), "="); ok {
				return r.Topic(value, m.NameSpan.StartByte)
			}
		}
	}
	return ""
}

// runOf returns the index of the method of a class that runs it as a task: run, else the one whose name begins with
// "run_", with which the names of all others of the kind begin: run_impl beside run_impl_locked. It returns -1 if there
// is none.
func runOf(f *code.File, class int) int {
	var parts []int
	for i := range f.Symbols {
		switch m := &f.Symbols[i]; {
		case m.Parent != class || !m.Kind.Callable():
		case m.Name == "run":
			return i
		case strings.HasPrefix(m.Name, "run_"):
			parts = append(parts, i)
		}
	}
	for _, i := range parts {
		if !slices.ContainsFunc(parts, func(o int) bool { return !strings.HasPrefix(f.Symbols[o].Name, f.Symbols[i].Name) }) {
			return i
		}
	}
	return -1
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
