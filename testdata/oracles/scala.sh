#!/bin/sh
# scala.sh PROGRAM [ARGUMENT] compiles PROGRAM.scala of this folder with Debian's
# scala and runs it: outside of the script runner, whose class loader hides a
# part of the JDK.
set -e
here=$(dirname "$0")
program=$1
shift
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
scalac -nowarn -d "$classes" "$here/$program.scala"
jars=/usr/share/java
java -Xmx3g -cp "$classes:$jars/scala-compiler.jar:$jars/scala-library.jar:$jars/scala-reflect.jar:$jars/scala-xml_2.11.jar:$jars/scala-parser-combinators_2.11.jar" "$program" "$@"
