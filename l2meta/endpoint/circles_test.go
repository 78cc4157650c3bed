package endpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// TestRoutersInCircles mounts routers in each other in many circles. Each path through them is a
// place of the route, so there are far more places than the joiner may enumerate.
func TestRoutersInCircles(t *testing.T) {
	var server strings.Builder
	server.WriteString("const express = require('express');\nconst app = express();\nconst a = express.Router();\n" +
		"const b = express.Router();\n")
	for i := range 60 {
		fmt.Fprintf(&server, "a.use('/b%d', b);\nb.use('/a%d', a);\n", i, i)
	}
	server.WriteString("app.use('/top', a);\na.get('/pay', pay);\nfunction pay(req, res) {}\napp.listen(80);\n")
	client := "const axios = require('axios');\nfunction ask() { return axios.get('http://shop/top/pay'); }\n"
	dir := t.TempDir()
	write(t, dir, &txtar.Archive{Files: []txtar.File{
		{Name: "shop/package.json",
			Data: []byte(`{"name": "shop", "scripts": {"start": "node app.js"}, "dependencies": {"express": "4"}}`)},
		{Name: "shop/Dockerfile", Data: []byte("FROM node\n")},
		{Name: "shop/app.js", Data: []byte(server.String())},
		{Name: "web/package.json", Data: []byte(`{"name": "web", "dependencies": {"axios": "1"}}`)},
		{Name: "web/Dockerfile", Data: []byte("FROM node\n")},
		{Name: "web/app.js", Data: []byte(client)},
		{Name: "compose.yaml", Data: []byte("services:\n  shop:\n    build: shop\n  web:\n    build: web\n")},
	}})
	out, _ := crossings(t, languagetest.Indexed(t, dir))
	if len(out) != 1 || out[0].handler != "shop/app.js#pay" {
		t.Errorf("crossings: %+v, want the request of web/app.js at pay alone", out)
	}
}
