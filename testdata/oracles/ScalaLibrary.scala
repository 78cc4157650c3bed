import java.io.PrintStream
import scala.collection.mutable
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

/** Writes the table of the Scala standard library that the resolver reads, in
  * the form that l2meta/languages/jvm/table.go describes. Collections of one name
  * in several packages are one here, since a value may be of any of them; of
  * other types of one name the first counts. A type that an implicit conversion
  * gives stands among the bases, last.
  *
  * `scala.sh ScalaLibrary > l2meta/languages/jvm/scala_library.txt`
  */
object ScalaLibrary {
  def main(args: Array[String]): Unit = {
    val settings = new Settings
    settings.usejavacp.value = true
    val out = new PrintStream(System.out, false, "UTF-8")
    new Library(new Global(settings, new StoreReporter)).write(out)
    out.flush()
    System.exit(0)
  }

  /** The packages that programs use most. */
  val packages = List("scala", "scala.collection", "scala.collection.immutable", "scala.collection.mutable", "scala.collection.generic",
    "scala.collection.concurrent", "scala.collection.convert", "scala.concurrent", "scala.concurrent.duration", "scala.io", "scala.math",
    "scala.reflect", "scala.runtime", "scala.sys", "scala.sys.process", "scala.util", "scala.util.control", "scala.util.matching", "scala.xml")
  /** Objects whose implicit conversions count, beside those of companions. */
  val converters = List("scala.Predef", "scala.LowPriorityImplicits", "scala.collection.convert.DecorateAsJava", "scala.collection.convert.DecorateAsScala")

  class Library(val global: Global) {
    import global._
    new global.Run

    case class Member(params: List[String], result: String, told: Boolean)
    class Block(val params: List[String]) {
      val bases = mutable.LinkedHashSet[String]()
      val views = mutable.LinkedHashSet[String]()
      val members = mutable.Map[String, List[Member]]()
    }
    val blocks = mutable.Map[String, Block]()

    def write(out: PrintStream): Unit = {
      for (name <- packages; pkg = rootMirror.getPackage(name: TermName)) contents(pkg)
      for (name <- converters; t = if (name == "scala.Predef") rootMirror.getRequiredModule(name).info else rootMirror.getRequiredClass(name).info) views(t, !_.fullName.startsWith("scala.collection.concurrent"))
      out.println(s"# Scala ${scala.util.Properties.versionNumberString}: written by testdata/oracles/ScalaLibrary.scala")
      out.println("package scala")
      for ((name, b) <- blocks.toSeq.sortBy(_._1) if b.members.nonEmpty || b.bases.nonEmpty || b.views.nonEmpty) {
        val bases = (b.bases ++ b.views).filter(x => x != name && !x.startsWith(name + "["))
        out.println(name + bracketed(b.params) + (if (bases.isEmpty) "" else bases.mkString(": ", ", ", "")))
        for ((member, overloads) <- b.members.toSeq.sortBy(_._1)) lines(member, overloads, out)
      }
    }

    def bracketed(list: List[String]) = if (list.isEmpty) "" else list.mkString("[", ", ", "]")

    def visible(s: Symbol) = s.isPublic && !s.isSynthetic && !s.isAnonymousClass && !s.name.toString.exists(c => c == '<' || c == ' ') && !s.name.decoded.contains("$")

    /** Types that are bases of others count although programs cannot name them. */
    def counts(s: Symbol) = !s.isPrivate && !s.name.decoded.matches("<\\w.*") && !s.name.decoded.exists(c => c == '$' || c == ' ')

    val seen = mutable.Map[(String, Boolean), String]()

    /** Tells whether a type or object is the first of its name, or a collection like it. */
    def first(s: Symbol): Boolean = {
      val other = seen.getOrElseUpdate((s.name.decoded, s.isModule), s.fullName)
      other == s.fullName || other.startsWith("scala.collection.") && s.fullName.startsWith("scala.collection.")
    }

    def contents(pkg: Symbol): Unit = for (s <- pkg.info.members.toList.sortBy(_.fullName) if counts(s) && (s.isPackageObject || (s.isClass || s.isModule && !s.hasPackageFlag) && first(s))) {
      if (s.isPackageObject) take(block("self." + pkg.name.decoded, Nil), s.info)
      else if (s.isClass && !s.isModuleClass) klass(s)
      else if (s.isModule && !s.hasPackageFlag) module(s)
    }

    def klass(s: Symbol): Unit = if (!s.isJavaDefined && !s.name.toString.matches("(Abstract)?(Function|Tuple|Product)\\d+")) {
      s.initialize
      val b = block(s.name.decoded, s.info.typeParams.map(_.name.decoded))
      if (b.params.length == s.info.typeParams.length) {
        parents(b, s, s.info.typeParams.zip(b.params).toMap)
        take(b, s.info, s)
        val inner = if (s.companionModule != NoSymbol) s.companionModule.info.decls.toList.filter(i => i.isClass && !i.isModuleClass && visible(i)) else Nil
        for (i <- s.info.decls.toList if i.isClass && !i.isModuleClass && visible(i) && (i.info.typeParams.isEmpty || b.params.isEmpty)) klass(i)
        for (i <- inner if !blocks.contains(i.name.decoded)) klass(i)
      }
    }

    def parents(b: Block, s: Symbol, names: Map[Symbol, String]): Unit =
      for (p <- s.info.parents; base = text(p, s, names) if !bare(base) && !base.contains(" => ")) b.bases += base

    /** Bases that tell nothing. */
    val bare = Set("AnyRef", "Any", "_", "AnyVal", "Serializable", "java.io.Serializable", "java.lang.Cloneable")

    def module(s: Symbol): Unit = {
      s.initialize
      val b = block("self." + s.name.decoded, Nil)
      parents(b, s.moduleClass, Map())
      take(b, s.info, s.moduleClass)
      views(s.info, _ == s.companionClass)
      if (s.companionClass == NoSymbol) for (i <- s.info.decls.toList if i.isClass && !i.isModuleClass && visible(i)) klass(i)
      for (i <- s.info.decls.toList if i.isModule && visible(i) && !blocks.contains("self." + i.name.decoded)) module(i)
    }

    def block(name: String, params: List[String]) = blocks.getOrElseUpdate(name, new Block(params))

    /** Takes in what a type itself declares. */
    def take(b: Block, t: Type, owner: Symbol = NoSymbol): Unit = {
      val names = owner.info match { case i if owner == NoSymbol => Map[Symbol, String]() case i => i.typeParams.zip(b.params).toMap }
      for (s <- t.decls.toList if visible(s) && s.isTerm && !s.isConstructor && !s.isModule && !s.isSetter; m <- if (s.isMethod) List(s) else Nil) {
        val shown = m.name.decoded
        if (!shown.exists(c => c == ' ' || c == '#')) b.members(shown) = b.members.getOrElse(shown, Nil) :+ member(m, owner, names)
      }
    }

    def member(m: Symbol, owner: Symbol, names: Map[Symbol, String]): Member = {
      val lists = m.info.paramss
      val explicit = lists.filterNot(_.headOption.exists(_.isImplicit)).flatten
      val builders = lists.flatten.map(_.info.dealias).collect { case TypeRef(_, s, List(_, e, TypeRef(_, that, Nil))) if s.name.decoded == "CanBuildFrom" => that -> e }.toMap
      val params = explicit.map(p => text(p.info, owner, names))
      val result = m.info.finalResultType.dealias match {
        case TypeRef(_, that, Nil) if builders.contains(that) => "$of[" + text(builders(that), owner, names) + "]"
        case t => text(t, owner, names)
      }
      val shown = if (result.split("\\W").exists(_ == "_")) "" else result
      Member(params, shown, shown.contains("$") || params.exists(_.contains("=>")))
    }

    /** Takes in the implicit conversions of some types that a type declares: A => B makes B a base of A. */
    def views(t: Type, of: Symbol => Boolean): Unit = for (s <- t.decls.toList.filter(s => s.isMethod && s.isImplicit && s.isPublic).sortBy(_.name.decoded)) {
      val explicit = s.info.paramss.filterNot(_.headOption.exists(_.isImplicit)).flatten
      if (explicit.length == 1) {
        val from = explicit.head.info.dealias.typeSymbol match {
          case c if c == definitions.ByNameParamClass => explicit.head.info.typeArgs.head.dealias
          case _ => explicit.head.info.dealias
        }
        val source = from.typeSymbol
        if (source.isClass && of(source) && !definitions.isFunctionType(from) && from.typeArgs.forall(_.typeSymbol.isTypeParameter) && from.typeArgs.length == s.info.typeParams.length) {
          val head = simple(source)
          val b = block(head, from.typeArgs.map(_.typeSymbol.name.decoded))
          if (b.params.length == from.typeArgs.length) {
            val to = text(s.info.finalResultType, source, from.typeArgs.map(_.typeSymbol).zip(b.params).toMap)
            if (to != "_" && to != "String" && !numbers(to)) b.views += to
          }
        }
      }
    }

    val numbers = Set("Byte", "Short", "Char", "Int", "Long", "Float", "Double")

    def simple(s: Symbol): String =
      if (s.fullName == "java.lang.String") "String"
      else if (s == definitions.ObjectClass) "AnyRef"
      else if (s.fullName.startsWith("java.")) s.fullName
      else if (s.fullName.startsWith("scala.")) s.name.decoded
      else "_"

    /** A type as the table writes it: "_" where it cannot. */
    def text(t: Type, owner: Symbol, names: Map[Symbol, String]): String = t.dealias match {
      case ThisType(_) | SingleType(ThisType(_), _) if t.widen.typeSymbol == owner => "$this"
      case ThisType(_) => "$this"
      case SingleType(_, s) if s.isModule => "self." + s.name.decoded
      case s: SingleType => text(s.widen, owner, names)
      case ConstantType(c) => text(c.tpe.widen, owner, names)
      case RefinedType(parents, _) => parents.map(text(_, owner, names)).find(x => x != "AnyRef" && x != "_").getOrElse("_")
      case AnnotatedType(_, u) => text(u, owner, names)
      case ExistentialType(quantified, u) => text(u, owner, names ++ quantified.map(_ -> "*"))
      case TypeRef(_, s, args) if names.contains(s) => applied(names(s), args, owner, names)
      case TypeRef(_, s, args) if s.isTypeParameter || s.isTypeParameterOrSkolem =>
        val least = s.info.bounds.lo.dealias
        if (!s.owner.isMethod || args.nonEmpty) "_"
        else if (least.typeSymbol == definitions.NothingClass) "$" + s.name.decoded
        else text(least, owner, names) match {
          case bound if bound == "_" || bound.startsWith("$") => "_"
          case bound => "$" + s.name.decoded + "^" + bound
        }
      case TypeRef(_, definitions.ByNameParamClass, List(a)) => text(a, owner, names)
      case TypeRef(_, definitions.RepeatedParamClass, List(a)) => text(a, owner, names) + "..."
      case TypeRef(_, s, args) if args.nonEmpty && definitions.FunctionClass.seq.contains(s) || s.name.decoded == "PartialFunction" && args.length == 2 =>
        val parts = args.map(text(_, owner, names))
        parts.init.mkString("(", ", ", ")") + " => " + parts.last
      case TypeRef(_, s, args) if args.nonEmpty && definitions.TupleClass.seq.contains(s) => applied("Tuple", args, owner, names)
      case TypeRef(_, s, args) if s.isModuleClass && !s.hasPackageFlag => "self." + s.name.decoded
      case TypeRef(_, s, args) if s.isClass => applied(simple(s), args, owner, names)
      case _ => "_"
    }

    def applied(name: String, args: List[Type], owner: Symbol, names: Map[Symbol, String]) =
      if (name == "_") "_" else name + bracketed(args.map {
        case a if a.typeParams.nonEmpty || a.isHigherKinded => if (names.contains(a.typeSymbol)) names(a.typeSymbol) else simple(a.typeSymbol)
        case a => text(a, owner, names)
      })

    /** Writes the common part of overloads, and by the number of parameters where that tells more. */
    def lines(name: String, overloads: List[Member], out: PrintStream): Unit = {
      val all = common(overloads)
      out.println(s"\t$name $all".replaceAll(" +$", ""))
      for ((n, some) <- overloads.groupBy(_.params.length).toList.sortBy(_._1); line = common(some) if line != all) out.println(s"\t$name#$n $line".replaceAll(" +$", ""))
    }

    def common(overloads: List[Member]): String = {
      val first = overloads.head
      val even = overloads.forall(_.params.length == first.params.length)
      if (overloads.exists(_.result != first.result) || first.result == "") ""
      else if (!even || !overloads.exists(_.told) || first.params.isEmpty) first.result
      else first.result + overloads.map(_.params).transpose.map(p => if (p.distinct.length == 1) p.head else "_").mkString(" (", ", ", ")")
    }
  }
}
