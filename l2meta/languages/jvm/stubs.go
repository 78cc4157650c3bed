package jvm

import "sextant/l2meta/resolve"

// These tables list the names of client and server types in the code that grpc-java, grpc-kotlin
// and ScalaPB generate from a service definition. A * matches any text.
var (
	javaStubs = resolve.Stubs{
		Clients: []string{"*Grpc", "*Stub", "*BlockingStub", "*BlockingV2Stub", "*FutureStub", "Reactor*Grpc",
			"Reactor*Stub"},
		Servers: []resolve.StubBase{{Name: "*ImplBase"}, {Name: "*AsyncService"},
			{Name: "AsyncService", Within: "*Grpc"}},
	}
	kotlinStubs = resolve.Stubs{
		Clients: []string{"*Grpc", "*GrpcKt", "*Stub", "*BlockingStub", "*FutureStub", "*CoroutineStub"},
		Servers: []resolve.StubBase{{Name: "*ImplBase"}, {Name: "*CoroutineImplBase"},
			{Name: "AsyncService", Within: "*Grpc"}},
	}
	scalaStubs = resolve.Stubs{
		Clients: []string{"*Grpc", "*Stub", "*BlockingStub", "*Client"},
		Servers: []resolve.StubBase{{Name: "*ImplBase"}},
	}
)
