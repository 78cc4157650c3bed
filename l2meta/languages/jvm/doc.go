// Package jvm finds the declarations that calls in Java, Kotlin and Scala refer to. The three
// languages share packages, classes and overriding. Packages java, kotlin and scala below it
// extract declarations, calls and facts from source files; a fact records, for example, the
// declared type of a variable. Package endpoints finds the requests and messages that the code
// serves and sends.
//
// These make the languages difficult. Overloads are chosen by the types of arguments, including
// lambdas. In Kotlin and Scala a receiver may come from the context (lambda receivers, givens,
// implicits), and extensions compete with members that a library declares. The package knows the
// members of library types only as far as its tables list them. A library function may return a
// value that the workspace passed to it, as in optional.orElse(order); a call on such a value is
// not external.
package jvm
