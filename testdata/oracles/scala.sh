#!/bin/sh
# scala.sh ROOT compiles Scala.scala with Debian's scala and runs it on ROOT:
# outside of the script runner, whose class loader hides a part of the JDK.
set -e
here=$(dirname "$0")
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
scalac -nowarn -d "$classes" "$here/Scala.scala"
jars=/usr/share/java
java -Xmx3g -cp "$classes:$jars/scala-compiler.jar:$jars/scala-library.jar:$jars/scala-reflect.jar:$jars/scala-xml_2.11.jar:$jars/scala-parser-combinators_2.11.jar" Scala "$1"
