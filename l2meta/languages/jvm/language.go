package jvm

import (
	"regexp"

	lang "sextant/l2meta/language"
	"sextant/l2meta/languages/jvm/endpoints"
	"sextant/l2meta/languages/jvm/java"
	"sextant/l2meta/languages/jvm/kotlin"
	"sextant/l2meta/languages/jvm/scala"
	"sextant/l2meta/resolve"
)

// familyName names the group of the JVM languages, whose code calls each other's declarations.
const familyName = "java"

// Languages describes the languages of the JVM.
var Languages = []lang.Language{
	{Source: java.Source,
		Calls: resolve.Language{Settler: Java{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Packaged: true, Closed: true, Sealed: true, Stubs: javaStubs, Operations: operations},
		Services: endpoints.Idioms},
	{Source: kotlin.Source,
		Calls: resolve.Language{Settler: Kotlin{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Packaged: true, Closed: true, Stubs: kotlinStubs, Operations: operations},
		Services: endpoints.Idioms},
	{Source: scala.Source,
		Calls: resolve.Language{Settler: Scala{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Packaged: true, Closed: true, Stubs: scalaStubs, Operations: operations},
		Services: endpoints.Idioms},
}

// These tables list the names of client and server types in the code that grpc-java, grpc-kotlin
// and ScalaPB generate from a service definition. A * matches any text.
var (
	javaStubs = resolve.Stubs{
		Clients: []string{"*Grpc", "*Stub", "*BlockingStub", "*BlockingV2Stub", "*FutureStub", "Reactor*Grpc",
			"Reactor*Stub", "Mutiny*Grpc", "Mutiny*Stub"},
		Injected: quarkusClient,
		Servers: []resolve.StubBase{{Name: "*ImplBase"}, {Name: "*AsyncService"},
			{Name: "AsyncService", Within: "*Grpc"}},
	}
	kotlinStubs = resolve.Stubs{
		Clients:  []string{"*Grpc", "*GrpcKt", "*Stub", "*BlockingStub", "*FutureStub", "*CoroutineStub"},
		Injected: quarkusClient,
		Servers: []resolve.StubBase{{Name: "*ImplBase"}, {Name: "*CoroutineImplBase"},
			{Name: "AsyncService", Within: "*Grpc"}},
	}
	scalaStubs = resolve.Stubs{
		Clients: []string{"*Grpc", "*Stub", "*BlockingStub", "*Client"},
		Servers: []resolve.StubBase{{Name: "*ImplBase"}},
	}
)

// quarkusClient is the annotation of Quarkus by which a field or parameter of the type Orders is a client of Orders.
const quarkusClient = "io.quarkus.grpc.GrpcClient"

// operations describes the names in code that openapi-generator and swagger-codegen generate, and Quarkus' generator of
// servers.
var operations = resolve.Operations{Case: resolve.CaseCamel,
	Servers: []resolve.OperationServer{{Base: regexp.MustCompile(`^[A-Z]\w*(?:Api|ApiDelegate|ApiService|Resource)$`)}},
	Affixes: []string{"*", "*WithHttpInfo", "*WithResponseSpec", "*Async", "*Call"}}
