package python

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readStreams records the Redis streams that a call reads. They are the keys of a dictionary
// among its arguments: xread({"orders": "$"}), xreadgroup(group, consumer, streams={stream:
// ">"}). It returns false if there are none.
func readStreams(r *services.Reader, c *code.Call) (found bool) {
	args := r.Arguments(c)
	streams := folding.Keyword(args, "streams")
	for _, a := range args {
		if streams == "" && strings.HasPrefix(a, "{") {
			streams = a
		}
	}
	if !strings.HasPrefix(streams, "{") {
		return false
	}
	for _, item := range folding.ListItems(streams[1:]) {
		name, _, _ := strings.Cut(item, ":")
		// the name of a stream may contain a colon: "orders:paid"
		if quote := strings.IndexAny(item[:1], `"'`); quote == 0 {
			name = item[:1+strings.IndexByte(item[1:], item[0])+1]
		}
		if key := r.Topic(strings.TrimSpace(name), c.NameSpan.StartByte); key != "" {
			r.KeepMessage(services.Consumes, c.Caller, c.NameSpan, services.End{Broker: "redis-stream", Key: key})
			found = true
		}
	}
	return found
}
