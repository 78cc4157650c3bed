package jvm

import (
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
