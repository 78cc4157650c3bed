// Package jvm reads Java, Kotlin and Scala, and resolves their calls. They share packages,
// classes and overriding.
//
// Hard here: overloads are chosen by the types of arguments, lambdas included;
// in Kotlin and Scala a receiver may come from the context (lambda receivers,
// givens, implicits), and extensions compete with members that a library
// declares; members of library types are known as far as the tables here list
// them. What a library hands back may be the workspace's, and is not external
// then.
package jvm
