# frozen_string_literal: true

# Records which method each line of a workspace called, while its own tests
# run: `ruby -r ./ruby_trace.rb …` with
#
#   SEXTANT_TRACE_ROOT  the workspace, an absolute path
#   SEXTANT_TRACE_OUT   a folder; each process writes PID.tsv there when it ends
#
# A line of output is caller file, line, called name, callee file, line, owner;
# the callee's file is "" for a method outside the workspace, and its line 0.
# The called name "<class>" is the construction of the owner by Class#new.
# Lines "method" and "constant" say where the program's classes and their
# methods are declared. ruby.rb turns these lines into truth.
module SextantTrace
  ROOT = File.realpath(ENV.fetch("SEXTANT_TRACE_ROOT")) + "/"
  OUT = ENV.fetch("SEXTANT_TRACE_OUT")
  SEEN = {} # caller "file:line" => {[name, callee file, line, owner] => true}
  CLASS_OF = Kernel.instance_method(:class)
  METHOD_OF = Kernel.instance_method(:method)
  SINGLETON = Module.instance_method(:singleton_class?)
  MODULE_NAME = Module.instance_method(:name)

  OPENED = {} # [class name, file, line] => true
  EVENTS = { call: :called, c_call: :c_called, class: :opened }.freeze

  module_function

  def inside?(path)
    path.start_with?(ROOT) && !path.include?("/vendor/") && !path.include?("/<internal:") && !path.include?("/(eval")
  end

  def note(path, line, fact)
    (SEEN["#{path}:#{line}"] ||= {})[fact] = true
  end

  # called is a method written in Ruby: its frame is on the stack, and below it
  # stand the C functions that it was called through, with their caller's line.
  def called(event)
    from = caller_locations(3, 1)&.first or return
    path = from.absolute_path || from.path
    return unless path && inside?(path)

    name = event.callee_id.to_s
    # Class#new runs initialize: the line that says "new" is the one that calls.
    name = "new" if name == "initialize" && from.label == "new"
    target = event.path
    if inside?(File.expand_path(target))
      note(path, from.lineno, [name, File.expand_path(target), event.lineno, owner(event.defined_class)])
    else
      note(path, from.lineno, [name, "", 0, owner(event.defined_class)])
    end
  end

  # c_called is a method written in C, or an attribute's reader or writer, or
  # Class#new; the event stands at the caller's line.
  def c_called(event)
    path = event.path
    return unless path && inside?(File.expand_path(path))

    path = File.expand_path(path)
    name = event.callee_id.to_s
    key = [name, event.defined_class]
    if name == "new" && Class === event.self
      note(path, event.lineno, ["<class>", "", 0, MODULE_NAME.bind_call(event.self).to_s])
      return
    end
    return if (SEEN["c#{path}:#{event.lineno}"] ||= {})[key]

    SEEN["c#{path}:#{event.lineno}"][key] = true
    # An attribute's reader has a place; where the method is not the one that
    # self itself answers with, this is its C super method.
    method = METHOD_OF.bind_call(event.self, event.callee_id) rescue nil
    file, line = method.source_location if method && method.owner.equal?(event.defined_class)
    if file && inside?(File.expand_path(file))
      note(path, event.lineno, [name, File.expand_path(file), line, owner(event.defined_class)])
    else
      note(path, event.lineno, [name, "", 0, owner(event.defined_class)])
    end
  end

  # opened is the head of a class or module, each time that it is reopened.
  def opened(event)
    path = File.expand_path(event.path)
    name = MODULE_NAME.bind_call(event.self)
    OPENED[[name, path, event.lineno]] = true if name && inside?(path)
  end

  def owner(mod)
    return "" unless Module === mod

    SINGLETON.bind_call(mod) ? mod.inspect[/\A#<Class:(.*)>\z/m, 1].to_s[/\A[\w:]*/] : MODULE_NAME.bind_call(mod).to_s
  rescue StandardError
    ""
  end

  # tables asks the running program which method a name means to instances
  # (mark "#") or to the class itself (mark ".") of every class and module of
  # the workspace; ruby.rb needs it for calls on self.
  def tables
    ObjectSpace.each_object(Module).flat_map do |mod|
      name = MODULE_NAME.bind_call(mod)
      next [] unless name && !SINGLETON.bind_call(mod)

      rows(name, "#", mod) + rows(name, ".", mod.singleton_class)
    rescue StandardError
      []
    end
  end

  def rows(name, mark, mod)
    ids = Module.instance_method(:instance_methods).bind_call(mod) + Module.instance_method(:private_instance_methods).bind_call(mod)
    ids.uniq.filter_map do |id|
      method = Module.instance_method(:instance_method).bind_call(mod, id) rescue next
      file, line = method.source_location
      next if !file || Object.equal?(method.owner) && name != "Object"

      ["method", name, mark, id, File.expand_path(file), line].join("\t") if inside?(File.expand_path(file))
    end
  end

  def write
    @trace.disable
    File.open(File.join(OUT, "#{Process.pid}-#{rand(1 << 40)}.tsv"), "w") do |f|
      SEEN.each do |at, facts|
        next if at.start_with?("c")

        path, _, line = at.rpartition(":")
        facts.each_key { |fact| f.puts(["call", path, line, *fact].join("\t").delete("\n")) }
      end
      tables.each { |row| f.puts(row) }
      constants.each { |row| f.puts(row) }
      OPENED.each_key { |fact| f.puts(["constant", *fact].join("\t")) }
    end
  end

  def constants
    ObjectSpace.each_object(Module).filter_map do |mod|
      name = MODULE_NAME.bind_call(mod) or next
      file, line = Object.const_source_location(name)
      ["constant", name, File.expand_path(file), line].join("\t") if file && line.positive? && inside?(File.expand_path(file))
    rescue StandardError
      nil
    end
  end

  def start
    @pid = Process.pid
    @trace = TracePoint.new(:call, :c_call, :class) do |event|
      send(EVENTS.fetch(event.event), event) if Process.pid == @pid
    end
    at_exit { write if Process.pid == @pid }
    @trace.enable
  end
end

SextantTrace.start
