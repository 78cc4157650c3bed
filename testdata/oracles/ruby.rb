# frozen_string_literal: true

# Truth for Ruby call sites: `ruby ruby.rb WORKSPACE`, where the workspace's
# folder is named OWNER+NAME, runs the test suites that ruby_suites.tsv names for
# that repository under ruby_trace.rb, and prints one JSON line for each call
# site whose callee the program itself showed. A line and a name that fit several
# sites judge none of them. A repository without a suite there is judged by hand
# (testdata/accuracy/hand/ruby.jsonl): sites drawn at random and read. The suites
# of rack and roda need Debian's ruby-rack, ruby-tilt and
# ruby-minitest-global-expectations.
#
# Ruby has no static types, so "static" here means a site that its source
# binds: a call on self, on a constant, on super, on what `X.new` made there.
# Its targets are the methods that ran, and the one that self's class names.
# Any other receiver is duck-typed, an "interface": its targets are those of all
# classes that it was seen to have.
require "json"
require "ripper"
require "tmpdir"

Site = Struct.new(:line, :column, :name, :receiver, :nesting, :singleton, :variable, :scope)

# Sites walks the syntax tree of one file.
class Sites
  attr_reader :sites

  def initialize(text)
    @sites = []
    @nesting = []
    @singleton = false
    @scope = 0
    @scopes = 0
    @assigned = Hash.new { |h, k| h[k] = [] } # [scope or class, name] => classes it was made of, nil for anything else
    @supers = Ripper.lex(text).select { |_, kind, word, _| kind == :on_kw && word == "super" }.map(&:first)
    visit(Ripper.sexp(text))
  end

  # made is the class that all assignments of a site's receiver construct.
  def made(site)
    all = @assigned[site.variable]
    all.first if site.variable.is_a?(Array) && all.uniq.size == 1
  end

  private

  def add(token, receiver, variable = nil)
    kind, name, at = token
    return unless %i[@ident @const @kw @op @backtick].include?(kind)

    @sites << Site.new(at[0], at[1], name, receiver, @nesting.dup, @singleton, variable, @scope)
  end

  def visit(node)
    return unless node.is_a?(Array)

    case node[0]
    when :class, :module then scope(node, constant(node[1]))
    when :sclass then singleton { visit(node[2]) }
    when :def then body(node[1]) { visit(node[2]); visit(node[3]) }
    when :defs then singleton { body(node[3]) { visit(node[4]); visit(node[5]) } }
    when :super, :zsuper then superior(node)
    when :vcall, :fcall then add(node[1], :self)
    when :command then add(node[1], :self); visit(node[2])
    when :call, :command_call then called(node)
    when :assign, :opassign then assigned(node)
    when :massign, :mlhs then every(node[1]); visit(node[2])
    when :symbol, :alias, :undef, :dyna_symbol then nil
    when :params then every(node)
    when Symbol then node.drop(1).each { |child| visit(child) }
    else node.each { |child| visit(child) }
    end
  end

  # every notes that the names below node may hold anything.
  def every(node)
    return unless node.is_a?(Array)

    @assigned[key(node)] << nil if key(node)
    node.each { |child| child.is_a?(Array) && every(child) }
  end

  def scope(node, name)
    outer = [@nesting, @singleton]
    @nesting, @singleton = @nesting + [name], nil
    visit(node.drop(2))
    @nesting, @singleton = outer
  end

  def singleton
    outer, @singleton = @singleton, true
    yield
    @singleton = outer
  end

  def body(name)
    outer, was, method = @scope, @singleton, @method
    @scope = (@scopes += 1)
    @singleton = false if @singleton.nil?
    @method = name[1]
    yield
    @scope, @singleton, @method = outer, was, method
  end

  # superior is a super, whose place the tree does not tell: they come in the
  # order of their tokens. What it calls has the name of the method around it.
  def superior(node)
    at = @supers.shift
    @sites << Site.new(at[0], at[1], "super", :super, @nesting.dup, @singleton, @method, @scope) if at && @method
    visit(node[1])
  end

  def constant(node)
    case node&.first
    when :const_ref, :var_ref, :top_const_ref, :top_const_field then node[1][0] == :@const ? node[1][1] : nil
    when :const_path_ref, :const_path_field then (left = constant(node[1])) && "#{left}::#{node[2][1]}"
    end
  end

  # key is what a variable is known by: locals of a method, the rest of a class.
  def key(node)
    token = node
    token = node[1] if %i[var_ref var_field].include?(node[0])
    return unless token.is_a?(Array) && token[1].is_a?(String)

    case token[0]
    when :@ident then [@scope, token[1]]
    when :@ivar then [@nesting, token[1]]
    end
  end

  def called(node)
    receiver, name, rest = node[1], node[3], node[4]
    visit(receiver)
    base = receiver[0] == :var_ref && receiver[1][0] == :@kw && receiver[1][1] == "self" ? :self : constant(receiver)
    if base.is_a?(String) && name.is_a?(Array) && name[1] == "new"
      last = receiver[0] == :const_path_ref ? receiver[2] : receiver[1]
      @sites << Site.new(last[2][0], last[2][1], last[1], "new #{base}", @nesting.dup, @singleton, nil, name[2][0])
    elsif name.is_a?(Array)
      add(name, base || (new_of(receiver) ? "made #{new_of(receiver)}" : :value), base ? nil : key(receiver))
    end
    visit(rest)
  end

  # new_of is X for the expression X.new(…).
  def new_of(node)
    node = node[1] while node.is_a?(Array) && %i[method_add_arg method_add_block paren].include?(node[0])
    node = node[0] while node.is_a?(Array) && node[0].is_a?(Array)
    return unless node.is_a?(Array) && node[0] == :call && node[3].is_a?(Array) && node[3][1] == "new"

    constant(node[1])
  end

  def assigned(node)
    target = node[1]
    value = node[0] == :assign ? node[2] : node[3]
    if key(target)
      @assigned[key(target)] << new_of(value)
    else
      visit(target)
    end
    visit(value)
  end
end

# Truth joins the sites of a workspace with what was seen.
class Truth
  def initialize(root, folder)
    @root = "#{File.realpath(root)}/"
    @calls = Hash.new { |h, k| h[k] = {} }
    @methods = {}
    @constants = Hash.new { |h, k| h[k] = {} }
    Dir[File.join(folder, "*.tsv")].each { |f| File.foreach(f, chomp: true) { |l| read(l.split("\t", -1)) } }
  end

  def read(row)
    case row.shift
    when "call" then @calls[[row[0], row[1].to_i]][row[2..]] = true
    when "method" then @methods[row[0..2]] = row[3..4]
    when "constant" then @constants[row[0]][row[1..2]] = true
    end
  end

  def print
    files = @calls.keys.map(&:first).uniq.sort.select { |f| f.start_with?(@root) && File.file?(f) }
    files.each do |file|
      found = Sites.new(File.read(file, encoding: "UTF-8").scrub)
      lines = found.sites.group_by { |s| [s.line, s.name, s.receiver.to_s.start_with?("new ")] }
      found.sites.sort_by { |s| [s.line, s.column] }.each do |site|
        same = lines[[site.line, site.name, site.receiver.to_s.start_with?("new ")]]
        line = judge(found, file, site) if same.size == 1
        puts JSON.generate(line) if line
      end
    rescue StandardError => e
      warn "#{file}: #{e.message}"
    end
  end

  def judge(found, file, site)
    construct = site.receiver.to_s.start_with?("new ")
    seen = @calls[[file, construct ? site.scope : site.line]]
    called = construct ? "new" : site.name
    if site.receiver == :super
      called = site.variable
      return if found.sites.any? { |s| s.line == site.line && s.name == called }
    end
    facts = seen.keys.select { |name, *| name == called }
    made = seen.keys.filter_map { |name, _, _, owner| owner if name == "<class>" } if construct
    facts.concat(made.map { |owner| ["<class>", "", "0", owner] }) if made
    return if facts.empty?

    targets = targets(facts, site)
    inside = !targets.empty?
    outside = facts.any? { |name, path, *| path.empty? && name != "<class>" } || facts.any? { |name, _, _, owner| name == "<class>" && !@constants.key?(owner) }
    { file: relative(file), line: site.line, column: site.column + 1, name: site.name,
      class: kind(found, site, inside, outside), targets: targets, module: inside ? nil : facts.first[3] }.compact
  end

  def kind(found, site, inside, outside)
    return "external" unless inside
    return "unknown" if outside && !site.receiver.to_s.start_with?("new ")

    bound = %i[self super].include?(site.receiver) || site.receiver.is_a?(String) || found.made(site)
    bound ? "static" : "interface"
  end

  def targets(facts, site)
    pairs = facts.flat_map do |name, path, line, owner|
      next [[path, line]] unless path.empty?

      name == "<class>" ? @constants[owner].keys + [@methods[[owner, "#", "initialize"]]].compact : []
    end
    pairs.concat(own(site)) if site.receiver == :self && !pairs.empty?
    pairs.compact.uniq.map { |path, line| { file: relative(path), line: line.to_i } }.sort_by { |t| [t[:file], t[:line]] }
  end

  # own is the method that the class around a site knows by the site's name,
  # and for its own "new" the class with its initialize: a subclass may have run.
  def own(site)
    name = site.nesting.join("::")
    return @constants[name].keys + [@methods[[name, "#", "initialize"]]] if site.name == "new"

    [@methods[[name, site.singleton == false ? "#" : ".", site.name]]]
  end

  def relative(path)
    path.delete_prefix(@root)
  end
end

def suites(repository)
  File.foreach(File.join(__dir__, "ruby_suites.tsv"), chomp: true).filter_map do |line|
    name, command = line.split("\t")
    command if name == repository
  end
end

# hand is the sites of a repository that were judged by reading.
def hand(repository)
  file = File.join(__dir__, "..", "accuracy", "hand", "ruby.jsonl")
  File.foreach(file, chomp: true).select { |line| JSON.parse(line)["repo"] == repository }
end

root = ARGV.fetch(0)
repository = File.basename(root).sub("+", "/")
commands = suites(repository)
if commands.empty?
  puts hand(repository)
  exit
end
Dir.mktmpdir do |folder|
  trace = File.join(__dir__, "ruby_trace.rb")
  commands.each do |command|
    env = { "SEXTANT_TRACE_ROOT" => root, "SEXTANT_TRACE_OUT" => folder, "COVERAGE" => nil }
    pid = spawn(env, "ulimit -v 8000000; exec nice timeout -k 60 900 ruby -W0 -r#{trace} #{command}", chdir: root, out: :err)
    Process.wait(pid)
    abort "#{repository}: the suite was cut off, and its trace with it" if [124, 137].include?($?.exitstatus)
  end
  Truth.new(root, folder).print
end
