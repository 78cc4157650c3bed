package services

import (
	"cmp"
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/services/folding"
)

// tabledHandlers completes the consumers without a handler of their own: a literal of the file may map their topic to
// the function that the consumer then calls, {"order.paid": on_paid} or {"order.paid": (OrderPaid, on_paid)}.
func (r *Reader) tabledHandlers() {
	for i := range r.out {
		f := &r.out[i]
		if f.Name != l2meta.RoleConsume {
			continue
		}
		part := strings.Split(f.Type, "\t")
		if len(part) < 2 || part[1] == "" || len(part) > 4 && part[4] != "" ||
			strings.ContainsAny(part[1], "{}*#") || !r.Mentions(part[1]) {
			continue
		}
		if handler := r.tabled(part[1]); handler != "" {
			f.Type = strings.Join(append(append(part, "", "", "")[:4], handler), "\t")
		}
	}
}

// tabled returns the only function of the file to which literals map a topic, "" if there is none or several.
func (r *Reader) tabled(topic string) (handler string) {
	for _, quote := range []string{`"`, "'", "`"} {
		key := quote + topic + quote
		for at := 0; ; {
			i := strings.Index(r.Text[at:], key)
			if i < 0 {
				break
			}
			at += i + len(key)
			rest := strings.TrimLeft(r.Text[at:], " \t\n]")
			value, ok := strings.CutPrefix(rest, ":")
			if !ok {
				if value, ok = strings.CutPrefix(rest, "=>"); !ok {
					continue
				}
			}
			name := r.functionIn(r.Expression(len(r.Text) - len(strings.TrimLeft(value, " \t\n"))))
			if name != "" && handler != "" && name != handler {
				return ""
			}
			handler = cmp.Or(name, handler)
		}
	}
	return handler
}

// functionIn returns the last function of the file that a value names, alone or among the items of a tuple or list.
func (r *Reader) functionIn(value string) (name string) {
	items := []string{value}
	if strings.HasPrefix(value, "(") || strings.HasPrefix(value, "[") {
		items = folding.ListItems(value[1:])
	}
	for _, item := range items {
		if folding.Identifier.MatchString(item) && r.Declares(item) {
			name = item
		}
	}
	return name
}
