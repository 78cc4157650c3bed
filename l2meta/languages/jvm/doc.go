// Package jvm resolves the calls of Java, Kotlin and Scala, which share packages, classes and
// overriding. Packages java, kotlin and scala below it read the files, and endpoints finds what they
// serve and call across services.
//
// The difficulties: overloads are chosen by the types of arguments, including lambdas. In Kotlin
// and Scala a receiver may come from the context (lambda receivers, givens, implicits), and
// extensions compete with members that a library declares. The package knows the members of library
// types only as far as its tables list them. A library function may return a value that the
// workspace passed to it; a call on such a value is not external.
package jvm
