package golang

import (
	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Viper and envconfig put a prefix before the names of environment variables, and Viper has defaults:
//
//	viper.SetEnvPrefix("orders")
//	viper.SetDefault("kafka.topic", "orders-placed")
//	envconfig.Process("orders", &config)

// readCall records the routes of a call, or the settings that it describes.
func readCall(r *services.Reader, c *code.Call) {
	if !setsUp[c.Callee] {
		readRoute(r, c)
		return
	}
	args := r.Arguments(c)
	if len(args) == 0 {
		return
	}
	first, ok := folding.Quoted(args[0])
	switch {
	case !ok:
	case c.Callee == "SetEnvPrefix" && r.Imports("github.com/spf13/viper"),
		c.Callee != "SetDefault" && r.Imports("github.com/kelseyhightower/envconfig"):
		r.KeepPrefix(first, c.NameSpan.StartByte)
	case c.Callee == "SetDefault" && len(args) == 2 && r.Imports("github.com/spf13/viper"):
		if value, ok := folding.Quoted(args[1]); ok {
			r.KeepDefault(first, value, c.NameSpan.StartByte)
		}
	}
}

// setsUp are the calls that describe settings.
var setsUp = map[string]bool{"SetEnvPrefix": true, "SetDefault": true, "Process": true, "MustProcess": true}
