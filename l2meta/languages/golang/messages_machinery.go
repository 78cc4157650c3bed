package golang

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var machineries = []string{"/machinery"}

// machinery describes tasks that a signature names, and that a worker has registered by this name:
//
//	server.SendTask(&tasks.Signature{Name: "send_mail"})
//	server.RegisterTask("send_mail", sendMail)
var machinery = []services.Message{
	{Broker: "machinery", Role: services.Publishes, Callees: []string{"SendTask", "SendTaskWithContext"},
		Modules: machineries, Key: []string{"*/Name", "*/NewSignature(/0"}},
	{Broker: "machinery", Role: services.Publishes, Callees: []string{"NewChain", "NewGroup", "NewChord"},
		Modules: machineries, Read: severalTasks},
	{Broker: "machinery", Role: services.Consumes, Callees: []string{"RegisterTask"}, Modules: machineries, Least: 2,
		Key: []string{"0"}, Handler: []string{"1"}},
	{Broker: "machinery", Role: services.Consumes, Callees: []string{"RegisterTasks"}, Modules: machineries, Least: 1,
		Read: registeredTasks},
}

// severalTasks records the signatures of a chain or group: tasks.NewChain(&first, &second).
func severalTasks(r *services.Reader, c *code.Call) (ok bool) {
	for _, arg := range r.Arguments(c) {
		value, at := arg, c.NameSpan.StartByte
		if name := strings.TrimPrefix(arg, "&"); name == folding.LastWord(name) {
			value, at = r.Lookup(name, at)
		}
		if !strings.Contains(value, "Signature{") {
			continue
		}
		if name := r.Topic(folding.Property(value[strings.IndexByte(value, '{'):], "Name"), at); name != "" {
			r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "machinery", Key: name})
			ok = true
		}
	}
	return ok
}

// registeredTasks records the tasks of a map: RegisterTasks(map[string]interface{}{"send_mail": sendMail}).
func registeredTasks(r *services.Reader, c *code.Call) (ok bool) {
	value, at := r.Arguments(c)[0], c.NameSpan.StartByte
	if value == folding.LastWord(value) {
		value, at = r.Lookup(value, at)
	}
	value = strings.Replace(value, "interface{}", "any", 1)
	open := strings.IndexByte(value, '{')
	if open < 0 || !strings.HasPrefix(value, "map[string]") {
		return false
	}
	for _, item := range folding.ListItems(value[open+1:]) {
		name, handler, found := strings.Cut(item, ":")
		if key := r.Topic(name, at); found && key != "" {
			r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
				services.End{Broker: "machinery", Key: key, Handler: strings.TrimSpace(handler)})
			ok = true
		}
	}
	return ok
}
