import java.io.{File, PrintStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths, Path}
import scala.collection.JavaConverters._
import scala.collection.mutable
import scala.reflect.internal.util.{BatchSourceFile, SourceFile}
import scala.tools.nsc.Settings
import scala.tools.nsc.interactive.Global
import scala.tools.nsc.io.AbstractFile
import scala.tools.nsc.reporters.StoreReporter

/** Tells what each call in a repository's Scala sources means, as scalac's
  * presentation compiler types it: `scala Scala.scala ROOT` prints one line of
  * JSON a call site, as Java.java does. Sources of all modules are one here,
  * those for another platform than the JVM are left out; what depends on absent
  * libraries, or on a later version of the language, is unknown.
  */
object Scala {
  def main(args: Array[String]): Unit = {
    val root = Paths.get(args(0)).toRealPath()
    val settings = new Settings
    settings.usejavacp.value = true
    settings.YmacroexpandNone
    val oracle = new Oracle(root, settings)
    val out = new PrintStream(System.out, false, "UTF-8")
    oracle.lines().foreach(out.println)
    out.flush()
    System.exit(0) // not waiting for the compiler's thread
  }

  implicit class Options(settings: Settings) {
    def YmacroexpandNone: Unit = settings.Ymacroexpand.value = settings.MacroExpand.None
  }

  class Oracle(root: Path, settings: Settings) {
    val reporter = new StoreReporter
    val global = new Global(settings, reporter)
    import global._

    case class Site(kind: String, targets: Set[(String, Int)], rank: Int)
    val sites = mutable.Map[(String, Int, Int, String), Site]()

    /** The sources for the JVM, one of several with the same place in a tree for several versions. */
    def sources(): Seq[Path] = {
      val foreign = Set("js", "native", "scala-js", "scala-native", "js-native", "target", "scala-3", "scala-2.13", "scala-2.13+", "scala-2.10", "scala-2.12")
      Files.walk(root).iterator.asScala.filter(p => p.toString.endsWith(".scala") && Files.isRegularFile(p)).filter { p =>
        val steps = root.relativize(p).iterator.asScala.map(_.toString).toList
        !steps.exists(s => s.startsWith(".") || foreign(s) || s == "project")
      }.toSeq.sortBy(_.toString)
    }

    def lines(): Seq[String] = {
      val files = sources().map(p => new BatchSourceFile(AbstractFile.getFile(p.toFile)): SourceFile).toList
      val loaded = new Response[Unit]
      askReload(files, loaded)
      loaded.get
      for (f <- files) {
        val typed = new Response[Tree]
        askLoadedTyped(f, true, typed)
        typed.get.left.foreach(t => ask(() => new Reader(f).traverse(t)))
      }
      sites.toSeq.sortBy { case ((file, line, column, _), _) => (file, line, column) }.map { case ((file, line, column, name), s) =>
        val targets = s.targets.toSeq.sorted.map { case (f, l) => s"""{"file":${quote(f)},"line":$l}""" }
        s"""{"file":${quote(file)},"line":$line,"column":$column,"name":${quote(name)},"class":"${s.kind}"""" +
          (if (targets.isEmpty) "" else targets.mkString(",\"targets\":[", ",", "]")) + "}"
      }
    }

    def quote(s: String): String = "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\""

    def path(source: SourceFile): String = root.relativize(Paths.get(source.file.path)).toString

    /** 1-based line and column, in bytes. */
    def position(source: SourceFile, offset: Int): (Int, Int) = {
      val line = source.offsetToLine(offset)
      val start = source.lineToOffset(line)
      (line + 1, new String(source.content, start, offset - start).getBytes(UTF_8).length + 1)
    }

    def word(source: SourceFile, offset: Int): String = {
      val text = source.content
      if (offset < text.length && Character.isJavaIdentifierStart(text(offset))) {
        new String(text.drop(offset).takeWhile(c => Character.isJavaIdentifierPart(c)))
      } else new String(text.slice(offset, offset + 20).takeWhile(c => "!#%&*+-/:<=>?@\\^|~".indexOf(c) >= 0))
    }

    def declared(s: Symbol): Option[(String, Int)] =
      if (s == null || s == NoSymbol || !s.pos.isDefined || !s.pos.source.file.path.startsWith(root.toString)) None
      else Some((path(s.pos.source), position(s.pos.source, s.pos.point)._1))

    class Reader(source: SourceFile) extends Traverser {
      val called = mutable.Set[Tree]()

      /** A tree is a call where it is given arguments by the source, be they none. */
      def isCalled(t: Tree): Boolean = called(t) || {
        val end = t.pos.point + word(source, t.pos.point).length
        end < source.length && source.content(end) == '('
      }

      def function(t: Tree): Tree = t match {
        case TypeApply(f, _) => function(f)
        case _ => t
      }

      override def traverse(t: Tree): Unit = {
        t match {
          case Apply(f, args) if args.nonEmpty && !t.getClass.getName.contains("Implicit") => called += function(f)
          case _ =>
        }
        t match {
          case Apply(Select(New(tpt), _), _) if tpt.pos.isDefined => judge(tpt, t.symbol)
          case s: Select if s.symbol != null && s.symbol.isConstructor => if (s.pos.isDefined && word(source, s.pos.point) != "new") judge(s, s.symbol)
          case s: RefTree if s.symbol != null && s.pos.isDefined && s.symbol.isMethod && !s.symbol.isGetter && !isCalled(s) =>
          case s: Select if s.symbol != null && s.symbol.isMethod => judge(s, s.symbol)
          case i: Ident if i.symbol != null && i.symbol.isMethod => judge(i, i.symbol)
          case a @ (Select(_, _) | Ident(_)) if a.symbol != null && (a.symbol.isOverloaded || a.symbol.isErroneous) => put(a, "unknown", Set(), 1)
          case a @ (Select(_, _) | Ident(_)) if a.symbol != null && a.symbol.isTerm && !a.symbol.isModule && !a.symbol.isPackage && a.symbol.name.decoded.trim == word(source, place(a)) => put(a, "value", Set(), 0)
          case _ =>
        }
        t match {
          case tt: TypeTree if tt.original != null => traverse(tt.original)
          case d: DefDef if d.symbol != null && d.symbol.isSynthetic => // the compiler's own: apply, copy
          case CaseDef(_, guard, body) => traverse(guard); traverse(body) // a pattern is no call
          case _ => super.traverse(t)
        }
      }

      def judge(at: Tree, callee: Symbol): Unit = {
        if (callee == NoSymbol || callee.isError || callee.tpe.isErroneous) return put(at, "unknown", Set(), 1)
        val offset = place(at)
        val written = word(source, offset)
        // Of an anonymous class the constructor is its own, or that of the class behind a trait.
        if (callee.isConstructor && (!Set(callee.owner.name.toString, "this", "super")(written) || !isGiven(offset + written.length) && !isMade(offset))) return
        val applied = callee.name.toString == "apply" && written != "apply"
        // What the compiler puts in is not written: views, setters, what a for stands for.
        if (!callee.isConstructor && !applied && callee.name.decoded.trim != written) return
        if (callee.isGetter) return put(at, "value", Set(), 0)
        if (callee.isSynthetic && !callee.isConstructor && callee.name.toString != "apply") return put(at, "unknown", Set(), 1)
        val own = if (callee.isConstructor || callee.isSynthetic || callee.isCaseApplyOrUnapply) {
          val made = if (callee.isConstructor) callee.owner else callee.owner.companionClass
          declared(made).toSet ++ (if (callee.isSynthetic) None else declared(callee)) ++ (if (callee.isConstructor) None else declared(callee.owner))
        } else declared(callee).toSet
        val kind =
          if (own.isEmpty) { if (applied) "value" else "external" }
          else if (!callee.isConstructor && (callee.isDeferred || callee.owner.isTrait)) "interface" else "static"
        val module = if (applied && own.nonEmpty && callee.owner.isModuleClass) declared(callee.owner).toSet ++ declared(callee.owner.companionClass) else Set[(String, Int)]()
        put(at, kind, own ++ module, if (kind == "value") 1 else 2) // f(x) calls f, if also what f gives
      }

      def put(at: Tree, kind: String, targets: Set[(String, Int)], rank: Int): Unit = {
        if (!at.pos.isDefined || at.pos.source != source) return
        val offset = place(at)
        val name = word(source, offset)
        val (line, column) = position(source, offset)
        val key = (path(source), line, column, name)
        if (name.length > 0 && sites.get(key).forall(_.rank <= rank)) sites(key) = Site(kind, targets, rank)
      }

      def place(at: Tree): Int = at match {
        case Select(_, _) | Ident(_) => at.pos.point
        case _ => lastName(at)
      }

      /** Whether arguments follow, behind type arguments: a base without any is not called by the source. */
      def isGiven(end: Int): Boolean = {
        var (i, depth) = (end, 0)
        while (i < source.length && (depth > 0 || source.content(i) == '[')) {
          if (source.content(i) == '[') depth += 1 else if (source.content(i) == ']') depth -= 1
          i += 1
        }
        i < source.length && source.content(i) == '('
      }

      /** Whether "new" stands before the path that ends in the name at offset. */
      def isMade(offset: Int): Boolean = {
        val text = source.content
        var i = offset - 1
        while (i >= 0 && (Character.isJavaIdentifierPart(text(i)) || text(i) == '.')) i -= 1
        while (i >= 0 && Character.isWhitespace(text(i))) i -= 1
        i >= 2 && new String(text, i - 2, 3) == "new"
      }

      def lastName(t: Tree): Int = t match {
        case tt: TypeTree if tt.original != null => lastName(tt.original)
        case AppliedTypeTree(f, _) => lastName(f)
        case _ => t.pos.point
      }
    }
  }
}
