import scala.io.{Codec, Source}
import scala.reflect.internal.Flags
import scala.reflect.internal.util.{BatchSourceFile, Position}
import scala.tools.nsc.reporters.AbstractReporter
import scala.tools.nsc.{Global, Settings}

// Lists what Scala 2 files declare, as the compiler's parser reads them.
//
// Paths come on standard input, one a line. Each answer is one line of JSON:
// {"path": ..., "symbols": ["kind qualified.name line"]}, without "symbols"
// where the file does not parse. The line is that of the name.
object ScalaTruth {
  class Silent(val settings: Settings) extends AbstractReporter {
    def display(pos: Position, msg: String, severity: Severity): Unit = ()
    def displayPrompt(): Unit = ()
  }

  def main(args: Array[String]): Unit = {
    val settings = new Settings
    settings.usejavacp.value = true
    val reporter = new Silent(settings)
    val global = new Global(settings, reporter)
    import global._
    new global.Run

    class Reader extends Traverser {
      val found = collection.mutable.ArrayBuffer.empty[String]
      var owner = ""
      var inTemplate = false

      def add(kind: String, name: Name, t: Tree): String = {
        val full = if (owner.isEmpty) name.decoded else owner + "." + name.decoded
        found += kind + " " + full + " " + t.pos.line
        full
      }

      def inside(name: String)(visit: => Unit): Unit = {
        val outer = owner
        owner = name
        visit
        owner = outer
      }

      def anonymous(name: Name) = name.toString.contains("$anon")

      def typed(kind: String, name: Name, t: Tree, impl: Template): Unit =
        if (anonymous(name)) traverse(impl)
        else inside(add(kind, name, t))(traverse(impl))

      override def traverse(t: Tree): Unit = t match {
        // A package object is a module "package" in a package of its name.
        case PackageDef(pid, List(m: ModuleDef)) if m.name.toString == "package" => typed("class", pid.name, m, m.impl)
        case PackageDef(_, stats) => stats.foreach(traverse)
        case c: ClassDef => typed(if (c.mods.isTrait) "trait" else "class", c.name, c, c.impl)
        case m: ModuleDef => typed("class", m.name, m, m.impl)
        case Template(_, self, body) =>
          body.foreach {
            case v: ValDef => value(v)
            case d: DefDef => function(d, "method")
            case other => traverse(other)
          }
        case d: DefDef => function(d, "function")
        case _ => super.traverse(t)
      }

      def value(v: ValDef): Unit = {
        val own = v.mods.hasFlag(Flags.PARAMACCESSOR)
        val hidden = own && v.mods.isPrivateLocal && !v.mods.hasFlag(Flags.CASEACCESSOR)
        if (v.name.toString.contains("$") && v.mods.hasFlag(Flags.SYNTHETIC | Flags.ARTIFACT) || v.mods.hasFlag(Flags.PRESUPER) || hidden) {
          traverse(v.rhs)
        } else {
          val full = add("value", v.name, v)
          inside(if (own) owner else full)(traverse(v.rhs))
        }
      }

      def function(d: DefDef, kind: String): Unit =
        if (d.name.toString == "$init$" || d.name.toString == "<init>" && d.pos.line == 0) ()
        else if (d.name.toString == "<init>") {
          val written = d.pos.lineContent.contains("def this")
          if (written) {
            val name = TermName(owner.split('.').last)
            inside(add("constructor", name, d))(traverse(d.rhs))
          }
        } else inside(add(kind, d.name, d)) {
          d.vparamss.flatten.foreach(p => traverse(p.rhs))
          traverse(d.rhs)
        }
    }

    def quote(s: String) = "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\""

    for (path <- Source.stdin.getLines) {
      reporter.reset()
      val text = Source.fromFile(path)(Codec.UTF8).mkString
      val unit = new CompilationUnit(new BatchSourceFile(path, text))
      val tree = try Some(new syntaxAnalyzer.UnitParser(unit).parse()) catch { case _: Exception => None }
      val symbols = tree.filterNot(_ => reporter.hasErrors).map { t =>
        val reader = new Reader
        reader.traverse(t)
        reader.found.map(quote).mkString(", \"symbols\": [", ", ", "]")
      }
      println("{\"path\": " + quote(path) + symbols.getOrElse("") + "}")
    }
  }
}
