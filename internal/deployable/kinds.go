package deployable

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
)

// trait is a property of a service or module, derived from its manifests and files.
type trait uint16

const (
	isModule         trait = 1 << iota // the directory has a manifest of its own
	isGroup                            // the manifest lists other modules
	isRunnable                         // the module is a program
	isTested                           // the module is a test project
	isInfrastructure                   // the service runs third-party software: a database, a broker
	isPage                             // the program runs in browsers or on devices
	isServer                           // the program answers requests
	isGateway                          // the program is a proxy
	isLoad                             // the program simulates users, for load tests
	servesPages                        // the image of the service is that of a web server
	isHost                             // the program runs until it is stopped, as a server does
)

// signs maps texts in manifests to the traits of their modules. Each text is the name under which a
// manifest requires a tool or library.
var signs = []struct {
	text string
	says trait
}{
	{"Microsoft.NET.Test.Sdk", isTested}, {"MSTest.Sdk", isTested},
	{"Microsoft.NET.Sdk.Web", isRunnable | isHost}, {"Microsoft.NET.Sdk.Worker", isRunnable | isHost},
	{"<OutputType>Exe", isRunnable},
	{"Microsoft.NET.Sdk.BlazorWebAssembly", isPage}, {"<UseMaui>true", isPage},
	{"Aspire.AppHost.Sdk", isInfrastructure}, {"<IsAspireHost>true", isInfrastructure},
	{"Yarp.ReverseProxy", isGateway}, {"\"Ocelot\"", isGateway},
	{"spring-cloud-config-server", isInfrastructure}, {"netflix-eureka-server", isInfrastructure},
	{"spring-boot-admin-starter-server", isInfrastructure},
	{"spring-boot-admin-server", isInfrastructure}, {"netflix-turbine", isInfrastructure},
	{"hystrix-dashboard", isInfrastructure}, {"zipkin-server", isInfrastructure},
	{"spring-boot-maven-plugin", isRunnable}, {"org.springframework.boot'", isRunnable},
	{"org.springframework.boot\"", isRunnable}, {"quarkus-maven-plugin", isRunnable},
	{"io.micronaut.application", isRunnable},
	{"JavaAppPackaging", isRunnable}, {"PlayScala", isRunnable}, {"http4s-", isRunnable}, {"akka-http\"", isRunnable},
	{"pekko-http\"", isRunnable}, {"vapor/vapor", isRunnable}, {".executableTarget(", isRunnable},
	{"'application'", isRunnable}, {"com.google.cloud.tools.jib", isRunnable},
	{"aws-lambda-java-core", isRunnable}, {"Amazon.Lambda.Core", isRunnable}, {"\"aws-lambda\"", isRunnable},
	{"gatling", isLoad}, {"locust", isLoad},
}

func traitsOf(text []byte) (out trait) {
	for _, s := range signs {
		if strings.Contains(string(text), s.text) {
			out |= s.says
		}
	}
	return out
}

// These are names of npm packages: pageLibraries build web pages, serverLibraries answer requests,
// and loadTools send requests for load tests.
var (
	pageLibraries = []string{"react", "react-dom", "vue", "@angular/core", "svelte", "preact", "solid-js", "next",
		"nuxt", "@sveltejs/kit", "angular", "ember-source", "lit", "react-native", "expo"}
	serverLibraries = []string{"express", "koa", "fastify", "@nestjs/core", "@hapi/hapi", "restify", "apollo-server",
		"@apollo/server", "apollo-server-express", "hono", "@grpc/grpc-js", "grpc", "socket.io", "amqplib",
		"kafkajs", "polka"}
	loadTools = []string{"artillery", "k6", "autocannon"}
)

func npmTraits(scripts, dependencies, dev json.RawMessage) (out trait) {
	keys := func(raw json.RawMessage) map[string]any {
		m := map[string]any{}
		_ = json.Unmarshal(raw, &m)
		return m
	}
	has := func(m map[string]any, list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool { _, ok := m[name]; return ok })
	}
	run, used, also := keys(scripts), keys(dependencies), keys(dev)
	if has(run, []string{"start", "start:prod", "serve"}) {
		out |= isRunnable
	}
	if has(used, pageLibraries) || has(also, pageLibraries) && has(run, []string{"start", "dev", "serve", "build"}) {
		out |= isPage
	}
	if has(used, serverLibraries) {
		out |= isServer
	}
	if has(used, loadTools) || has(also, loadTools) {
		out |= isLoad
	}
	return out
}

var (
	baseImage = regexp.MustCompile(`(?im)^\s*FROM\s+(?:--\S+\s+)?(\S+)`)
	dataImage = regexp.MustCompile(
		`(?i)(?:^|[/-])(?:mongo|mongodb|mysql|mariadb|postgres|postgresql|postgis|redis|valkey|rabbitmq|kafka|zookeeper|cassandra|elasticsearch|opensearch|kibana|logstash|` +
			`fluentd|fluent-bit|prometheus|grafana|envoy|traefik|haproxy|kong|memcached|nats|consul|vault|keycloak|zipkin|jaeger|collector|minio|mssql|couchdb|influxdb|neo4j|clickhouse|dynamodb)\d*(?:[-:@]|$)`)
	pageImage = regexp.MustCompile(`(?i)(?:^|/)(?:nginx|nginx-unprivileged|httpd|caddy)(?:[:@]|$)`)
)

// baseTraits returns the traits that follow from the base image of a Dockerfile's last stage,
// such as servesPages for nginx; 0 for an unknown image.
func baseTraits(dockerfile string) (out trait) {
	all := baseImage.FindAllStringSubmatch(dockerfile, -1)
	if len(all) == 0 {
		return 0
	}
	switch last := all[len(all)-1][1]; {
	case pageImage.MatchString(last):
		return servesPages
	case dataImage.MatchString(last):
		return isInfrastructure
	}
	return 0
}

var (
	loadName = regexp.MustCompile(
		`(?i)(?:^|[-_./])(?:load|loadgen\w*|load-?test\w*|traffic(?:-?gen\w*)?|simulat\w*|seed|virtual)(?:[-_.]|$)`)
	testName = regexp.MustCompile(`(?i)(?:^|[-_./])(?:tests?|e2e|specs?|\w*tests)$`)
)

// isTest reports whether a unit consists of tests: its manifest is that of a test project, or a
// directory in its path has a name such as tests. A server whose module also has tests does not
// count.
func isTest(u *unit) bool {
	if u.traits&isTested != 0 && u.traits&isHost == 0 {
		return true
	}
	for _, step := range strings.Split(u.Root, "/") {
		if testName.MatchString(step) {
			return true
		}
	}
	return false
}

// kind returns the purpose of a unit, by its manifests, its deployment and its files.
func (f *finder) kind(u *unit) Kind {
	pages, scripts, own := f.pages(u)
	switch {
	case isTest(u):
		return Test
	case u.traits&isLoad != 0 || loadName.MatchString(path.Base(u.Root)) ||
		u.rank < rankManifest && loadName.MatchString(u.Name):
		return LoadGenerator
	case u.traits&isInfrastructure != 0:
		return Infrastructure
	case u.traits&isGateway != 0 && own <= 3:
		return Infrastructure
	case u.traits&isPage != 0 && u.traits&isServer == 0 && (own == 0 || u.Language == "" || !f.serverCode(u)) &&
		!f.has(u, serverStarts):
		return Frontend
	case u.traits&servesPages != 0 && (pages > 0 || scripts > 0):
		return Frontend
	case u.traits&servesPages != 0:
		return Infrastructure
	case u.deployed && pages > 0 && scripts > 0 && own <= 1 && u.traits&isGateway == 0:
		return Frontend
	case u.deployed && pages+scripts+own == 0:
		return Infrastructure
	case u.deployed || u.traits&isRunnable != 0 || f.startsProgram(u):
		return Application
	}
	return Library
}

// pages counts the static pages of a unit, its scripts for browsers, and its other source files.
func (f *finder) pages(u *unit) (pages, scripts, own int) {
	for _, p := range f.below(u.Root) {
		language := sourceLanguages[extension(path.Base(p))]
		switch dir := "/" + code.Dir(p) + "/"; {
		case strings.HasSuffix(p, ".html"):
			if !strings.Contains(dir, "/templates/") && !strings.Contains(dir, "/views/") {
				pages++
			}
		case slices.Contains(families["javascript"], language):
			scripts++
		case language != "" && language != "bash" && language != "sql":
			own++
		}
	}
	return pages, scripts, own
}

// serverCode reports whether the language with most files of a unit is one for servers. C# does not
// count, because programs in it may run in browsers or on devices.
func (f *finder) serverCode(u *unit) bool {
	return u.Language != "csharp" && !slices.Contains(families["javascript"], u.Language) && u.Language != "dart" &&
		u.Language != "swift"
}

// starts lists the usual files of a program's entry point, relative to the program's directory.
var starts = []string{"main.go", "src/main.rs", "manage.py", "main.py", "app.py", "wsgi.py", "__main__.py",
	"config.ru", "artisan", "public/index.php", "src/main.ts", "server.js", "index.php"}

// serverStarts lists those of starts that only programs have which answer requests, and may serve pages of their own.
var serverStarts = []string{"manage.py", "wsgi.py", "config.ru", "artisan", "public/index.php"}

func (f *finder) startsProgram(u *unit) bool { return f.has(u, starts) }

// has reports whether a unit has one of some files, relative to its directory.
func (f *finder) has(u *unit, files []string) bool {
	return slices.ContainsFunc(files, func(s string) bool {
		_, found := slices.BinarySearch(f.src.Files, path.Join(u.Root, s))
		return found
	})
}
