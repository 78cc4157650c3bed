package endpoint_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// variants holds the texts that each file of a workspace may have. An edge between the services
// depends on all of these files: a route, a constant with a topic, a compose file, the rule of a
// gateway, a setting.
var variants = map[string][]string{
	"compose.yaml": {
		"services:\n  orders:\n    build: orders\n" +
			"  web:\n    build: web\n    environment:\n      STOCK_URL: http://stock:80\n" +
			"  stock:\n    build: stock\n  edge:\n    image: nginx\n    build: edge\n",
		"services:\n  orders:\n    build: orders\n" +
			"  web:\n    build: web\n    environment:\n      STOCK_URL: http://orders:80\n" +
			"  stock:\n    build: stock\n  edge:\n    image: nginx\n    build: edge\n",
		"services:\n  web:\n    build: web\n  stock:\n    build: stock\n",
	},
	"edge/nginx.conf": {
		"http { server { location /api/ { proxy_pass http://orders:80/; } location / { root /www; } } }\n",
		"http { server { location /shop/ { proxy_pass http://orders:80/; } location / { root /www; } } }\n",
		"http { server { location /api/ { proxy_pass http://stock:80/; } location / { root /www; } } }\n",
	},
	"orders/package.json": {`{"name": "orders", "dependencies": {"express": "4"}}` + "\n"},
	"orders/server.js": {
		"const app = require('express')();\napp.get('/orders/:id', (req, res) => res.json({}));\n" +
			"app.get('/items/:id', (req, res) => res.json({}));\n",
		"const app = require('express')();\napp.get('/order/:id', (req, res) => res.json({}));\n",
		"const app = require('express')();\napp.post('/orders/:id', (req, res) => res.json({}));\n",
	},
	"orders/topics.js": {
		"exports.TOPICS = { paid: 'orders.paid' };\n",
		"exports.TOPICS = { paid: 'orders.settled' };\n",
	},
	"orders/publish.js": {
		"const { Kafka } = require('kafkajs');\nconst { TOPICS } = require('./topics');\n" +
			"const producer = new Kafka({}).producer();\n" +
			"exports.paid = (o) => producer.send({ topic: TOPICS.paid, messages: [o] });\n",
	},
	"stock/pom.xml": {"<project><artifactId>stock</artifactId></project>\n"},
	"stock/src/main/resources/application.yml": {
		"orders:\n  url: http://orders:80\n  topic: orders.paid\n",
		"orders:\n  url: http://web:80\n  topic: orders.settled\n",
		"orders:\n  url: http://elsewhere.example.com\n",
	},
	"stock/src/main/java/Stock.java": {
		"import org.springframework.beans.factory.annotation.Value;\n" +
			"import org.springframework.kafka.annotation.KafkaListener;\n" +
			"import org.springframework.web.bind.annotation.*;\nimport org.springframework.web.client.RestTemplate;\n" +
			"@RestController\npublic class Stock {\n  private RestTemplate restTemplate;\n" +
			"  @Value(\"${orders.url}\")\n  private String ordersUrl;\n" +
			"  @KafkaListener(topics = \"${orders.topic}\")\n  public void paid(String order) {\n" +
			"    restTemplate.getForObject(ordersUrl + \"/orders/7\", String.class);\n  }\n" +
			"  @GetMapping(\"/items/{id}\")\n  public String item(String id) { return id; }\n}\n",
	},
	"web/package.json": {`{"name": "web"}` + "\n"},
	"web/page.js": {
		"export const item = (id) => fetch(`${process.env.STOCK_URL}/items/${id}`);\n" +
			"export const order = (id) => fetch(`/api/orders/${id}`);\n",
		"export const item = (id) => fetch(`${process.env.STOCK_URL}/orders/${id}`);\n" +
			"export const order = (id) => fetch(`/shop/orders/${id}`, { method: 'POST' });\n",
	},
}

// randomEdits is the number of edits in a run of TestLinksFollowEdits.
const randomEdits = 40

// TestLinksFollowEdits edits a workspace at random, one or two files at a time. After each edit,
// the index that was updated must give the same edges as a new index.
func TestLinksFollowEdits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 16))
	paths := slices.Sorted(func(yield func(string) bool) {
		for path := range variants {
			if !yield(path) {
				return
			}
		}
	})
	dir, first := t.TempDir(), &txtar.Archive{}
	for _, path := range paths {
		first.Files = append(first.Files, txtar.File{Name: path, Data: []byte(variants[path][0])})
	}
	write(t, dir, first)
	live, cache := languagetest.Indexed(t, dir), resolve.NewCache(languages.All, nil)
	states := map[int]bool{}
	remembering := languagetest.Remembering()
	for i := range randomEdits {
		for range rnd.IntN(2) + 1 {
			path := paths[rnd.IntN(len(paths))]
			text := variants[path][rnd.IntN(len(variants[path]))]
			if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := live.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		out, in := crossingsBy(t, live, cache)
		freshOut, freshIn := crossings(t, languagetest.IndexedBy(t, dir, remembering))
		for _, wrong := range append(compare("from the client", lines(out), lines(freshOut)),
			compare("from the handler", lines(in), lines(freshIn))...) {
			t.Errorf("after edit %d: %s", i, wrong)
		}
		states[len(freshIn)] = true
	}
	if len(states) < 3 {
		t.Errorf("the edits change too little: only %d numbers of links", len(states))
	}
}

func lines(list []crossing) (out []string) {
	for _, c := range list {
		out = append(out, c.line())
	}
	return out
}
