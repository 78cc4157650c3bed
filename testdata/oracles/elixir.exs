# Truth for Elixir call sites: `elixir elixir.exs WORKSPACE`, where the workspace's folder is named
# OWNER+NAME, compiles the sources and tests of the workspace with a tracer of Elixir's own compiler,
# runs none of its tests, and prints one JSON line for each call that the compiler expanded or
# resolved. Needs Elixir 1.14 or later (Debian: elixir, erlang-dev, erlang-parsetools, erlang-eunit).
#
# Libraries that a workspace cannot be compiled without are compiled before it. elixir_needs.tsv lists
# them: workspace, library, commit of the library. They stand beside the workspace, and are cloned if
# they are absent. Files that do not compile without further libraries are left out, and counted.
#
# A call inside `quote` is no site: where it leads depends on the place that it is expanded in. Nor is
# a call on a module that only a value holds: the compiler does not know it. A function that a macro
# generates is judged if the `def` stands in a `quote` of the workspace, and is "unknown" otherwise.

defmodule Tracer do
  # trace is called by the compiler, in its many processes.
  def trace({kind, meta, module, name, arity}, env)
      when kind in [:remote_function, :remote_macro, :imported_function, :imported_macro] do
    note(meta, env, {module, name, arity})
  end

  def trace({kind, meta, name, arity}, env) when kind in [:local_function, :local_macro] do
    note(meta, env, {env.module, name, arity})
  end

  def trace({:on_module, bytecode, _}, env) do
    :ets.insert(:modules, {env.module, env.file, definitions(env.module, bytecode)})
    :ok
  end

  def trace(_, _), do: :ok

  defp note(meta, env, {_, name, _} = callee) do
    if meta[:column] || name == :__using__ do
      :ets.insert(:calls, {{env.file, meta[:line], meta[:column], name}, callee})
    end

    :ok
  end

  # definitions maps a name and arity to the line and the macro's module of its first clause.
  defp definitions(module, bytecode) do
    with {:ok, {_, [debug_info: info]}} <- :beam_lib.chunks(bytecode, [:debug_info]),
         {:debug_info_v1, backend, data} <- info,
         {:ok, %{definitions: all}} <- backend.debug_info(:elixir_v1, module, data, []) do
      Map.new(all, fn {callee, _kind, meta, _clauses} -> {callee, {meta[:line], meta[:context]}} end)
    else
      _ -> %{}
    end
  end
end

defmodule Truth do
  # Macros and special forms that read as keywords: no sites.
  @keywords ~w(def defp defmacro defmacrop defmodule defprotocol defimpl defstruct defexception defdelegate
               defguard defguardp defoverridable alias import require use if unless case cond with for fn quote
               unquote unquote_splicing receive try super and or in not when test describe property __MODULE__
               __ENV__ __DIR__ __CALLER__ __STACKTRACE__ __block__ __aliases__)

  def main(root) do
    for table <- [:calls, :modules], do: :ets.new(table, [:named_table, :public, :duplicate_bag])
    :logger.set_primary_config(:level, :none)
    Process.flag(:trap_exit, true) # of what a test's file starts
    stdout = Process.group_leader()
    Process.group_leader(self(), Process.whereis(:standard_error)) # of code that prints while it compiles
    Code.put_compiler_option(:ignore_module_conflict, true)
    Mix.start()
    Mix.env(:test)
    ExUnit.start(autorun: false)
    needs(root)
    Code.put_compiler_option(:parser_options, columns: true)
    Code.put_compiler_option(:tracers, [Tracer])
    File.cd!(root)
    projects = for mix <- ["mix.exs" | Path.wildcard("apps/*/mix.exs")], do: Path.dirname(mix)
    for project <- projects, do: erlang(Path.join(root, project))
    test(Path.join(root, "mix.exs")) # what Mix.Project.config() reads
    compile(for project <- projects, f <- Path.wildcard(Path.join([root, project, "lib/**/*.ex"])), do: f)
    compile(for project <- projects, f <- Path.wildcard(Path.join([root, project, "test/support/**/*.ex"])), do: f)
    for project <- projects, f <- Path.wildcard(Path.join([root, project, "test/**/*_test.exs"])), do: test(f)
    Process.group_leader(self(), stdout)
    print(root)
  end

  # needs compiles the libraries of a workspace, without the tracer.
  defp needs(root) do
    name = root |> Path.basename() |> String.replace("+", "/")

    for line <- File.stream!(Path.join(__DIR__, "elixir_needs.tsv")),
        [^name, library, commit] <- [String.split(String.trim(line), "\t")] do
      dir = Path.join(Path.dirname(root), String.replace(library, "/", "+"))
      File.dir?(dir) || clone(library, commit, dir)
      erlang(dir)
      compile(Path.wildcard(Path.join(dir, "lib/**/*.ex")))
    end
  end

  defp clone(library, commit, dir) do
    File.mkdir_p!(dir)

    for arguments <- [
          ["init", "-q"],
          ["fetch", "-q", "--depth=1", "https://github.com/" <> library, commit],
          ["checkout", "-q", "--detach", "FETCH_HEAD"]
        ] do
      {_, 0} = System.cmd("git", arguments, cd: dir)
    end
  end

  # erlang compiles the Erlang sources beside Elixir's, scanners and grammars included.
  defp erlang(dir) do
    out = Path.join(System.tmp_dir!(), "elixir-oracle-#{System.pid()}")
    File.mkdir_p!(out)
    include = {:i, to_charlist(Path.join(dir, "include"))}
    for f <- Path.wildcard(Path.join(dir, "src/*.xrl")), do: :leex.file(to_charlist(f), scannerfile: charlist(out, f))
    for f <- Path.wildcard(Path.join(dir, "src/*.yrl")), do: :yecc.file(to_charlist(f), parserfile: charlist(out, f))

    for f <- Path.wildcard(Path.join(dir, "src/*.erl")) ++ Path.wildcard(Path.join(out, "*.erl")) do
      with {:ok, module, binary} <- :compile.file(to_charlist(f), [:binary, include]) do
        :code.load_binary(module, to_charlist(f), binary)
      end
    end

    File.rm_rf!(out)
  end

  defp charlist(out, f), do: to_charlist(Path.join(out, Path.basename(f, Path.extname(f)) <> ".erl"))

  # compile compiles sources, which wait for each other's modules. The compiler does not recover from a
  # file that fails: the program starts again without it.
  defp compile(files) do
    case Kernel.ParallelCompiler.compile(files -- without()) do
      {:ok, _, _} ->
        :ok

      {:error, errors, _} ->
        failed = errors |> Enum.map(&Path.expand(elem(&1, 0))) |> Enum.uniq()
        IO.puts(:stderr, "does not compile: #{Enum.join(failed, " ")}: #{inspect(List.first(errors))}")
        if failed -- files == failed, do: System.halt(1)
        Process.group_leader(self(), Process.whereis(:user))
        {_, code} = System.cmd("elixir", [__ENV__.file, hd(System.argv()) | failed ++ without()], into: IO.stream())
        System.halt(code)
    end
  catch
    :exit, reason -> IO.puts(:stderr, "compiled, and not verified: #{inspect(reason)}") # on a busy machine
  end

  defp without, do: tl(System.argv())

  # test compiles a script on its own: files of tests repeat the names of modules.
  defp test(file) do
    task =
      Task.async(fn ->
        try do
          # doctest needs modules that were written to disk.
          file |> File.read!() |> String.replace(~r/^ *doctest .*$/m, "") |> Code.compile_string(file)
        rescue
          error -> IO.puts(:stderr, "does not compile: #{file}: #{inspect(error)}")
        end
      end)

    Task.yield(task, 60_000) || Task.shutdown(task, :brutal_kill)
  end

  defp print(root) do
    modules = Map.new(:ets.tab2list(:modules), fn {module, file, definitions} -> {module, {file, definitions}} end)

    :ets.tab2list(:calls)
    |> Enum.group_by(&elem(&1, 0), &elem(&1, 1))
    |> Enum.sort()
    |> Enum.each(fn {{file, line, column, name}, callees} ->
      text = line(file, line)

      with true <- inside?(root, file) and Path.extname(file) in [".ex", ".exs"] and to_string(name) not in @keywords,
           {:ok, byte} <- site(text, column, to_string(name)) do
        print(root, {file, line, byte, name}, Enum.flat_map(Enum.uniq(callees), &targets(root, modules, &1)))
      end
    end)
  end

  # site returns the byte column of a call's name, if the text has the name there.
  defp site(text, nil, "__using__") do
    case Regex.run(~r/^\s*use /, text) do
      [start] -> {:ok, byte_size(start) - 3}
      nil -> :error
    end
  end

  defp site(_, nil, _), do: :error

  defp site(text, column, name) do
    {before, rest} = text |> String.to_charlist() |> Enum.split(column - 1)
    rest = to_string(rest)

    if name =~ ~r/^[a-z_]/i and String.starts_with?(rest, name) and
         not (binary_part(rest, byte_size(name), byte_size(rest) - byte_size(name)) =~ ~r/^[\w?!]/) do
      {:ok, byte_size(to_string(before)) + 1}
    else
      :error
    end
  end

  # targets are the declarations of a callee: {class, module, file, line}.
  defp targets(root, modules, {module, name, arity}) do
    with {file, definitions} when is_map(definitions) <- modules[module] || absent(root, module),
         true <- inside?(root, file) do
      class = if Map.has_key?(definitions, {:__protocol__, 1}), do: "interface", else: "static"

      # A function that defoverridable replaces runs by super.
      all =
        for {{defined, ^arity}, place} <- definitions,
            defined == name or String.starts_with?(to_string(defined), "#{name} (overridable "),
            do: place

      places = for {line, context} <- all, do: place(root, modules, {class, file, line, context}, {module, name})
      if(places == [], do: [unknown(module)], else: places)
    else
      :unknown -> [unknown(module)]
      _ -> [{"external", module, nil, nil}]
    end
  end

  # absent returns :unknown for a module that was not compiled, although the workspace may declare it.
  defp absent(root, module) do
    declared =
      once(:declared, fn ->
        for file <- Path.wildcard(Path.join(root, "**/*.{ex,exs}")),
            [_, name] <- Regex.scan(~r/defmodule\s+([\w.]+)/, File.read!(file)),
            into: MapSet.new(),
            do: name |> String.split(".") |> List.last()
      end)

    name = module |> inspect() |> String.split(".") |> List.last()
    if not Code.ensure_loaded?(module) and name in declared, do: :unknown
  end

  defp place(root, modules, {class, file, line, context}, {module, name}) do
    if declares?(line(file, line), name) do
      found(root, class, module, {file, line})
    else
      quoted(root, modules[context], class, {module, name})
    end
  end

  defp unknown(module), do: {"unknown", module, nil, nil}

  defp found(root, class, module, {file, line}), do: {class, module, Path.relative_to(file, root), line}

  # quoted finds the only `def` of a name in the quotes of a macro's module.
  defp quoted(root, {file, definitions}, class, {module, name}) do
    own = for {{^name, _}, {line, _}} <- definitions, do: line
    pattern = declaring(name)

    all =
      once({file, name, own}, fn ->
        for {text, i} <- Enum.with_index(Tuple.to_list(lines(file)), 1), text =~ pattern, i not in own, do: i
      end)

    case all do
      [line] -> if inside?(root, file), do: found(root, class, module, {file, line}), else: unknown(module)
      _ -> unknown(module)
    end
  end

  defp quoted(_, _, _, {module, _}), do: unknown(module)

  defp declares?(text, name), do: text =~ declaring(name)

  defp declaring(name) do
    once({:declaring, name}, fn ->
      ~r/\bdef(p|macro|macrop|guard|guardp|delegate)?[\s(]+#{Regex.escape(to_string(name))}(?![\w?!])/
    end)
  end

  defp inside?(root, file), do: String.starts_with?(file, root <> "/") and not (file =~ "/deps/")

  defp line(file, n) do
    all = lines(file)
    if n in 1..tuple_size(all)//1, do: elem(all, n - 1), else: ""
  end

  defp lines(file) do
    once({:lines, file}, fn ->
      case File.read(file) do
        {:ok, text} -> text |> String.split("\n") |> List.to_tuple()
        _ -> {}
      end
    end)
  end

  # once returns the result of make for a key, and keeps it.
  defp once(key, make) do
    with nil <- Process.get(key) do
      made = make.()
      Process.put(key, made)
      made
    end
  end

  defp print(root, {file, line, column, name}, targets) do
    class = targets |> Enum.map(&elem(&1, 0)) |> Enum.uniq()
    class = if length(class) == 1, do: hd(class), else: "unknown"
    places = for {_, _, path, line} <- targets, path, do: ~s({"file":#{json(path)},"line":#{line}})

    IO.puts([
      ~s({"file":#{json(Path.relative_to(file, root))},"line":#{line},"column":#{column},),
      ~s("name":#{json(to_string(name))},"class":"#{class}"),
      if(class in ["static", "interface"], do: [~s(,"targets":[), Enum.join(Enum.uniq(places), ","), "]"], else: []),
      if(class == "external", do: ~s(,"module":#{json(inspect(elem(hd(targets), 1)))}), else: ""),
      "}"
    ])
  end

  defp json(text), do: ~s(") <> String.replace(text, ["\\", "\""], &("\\" <> &1)) <> ~s(")
end

Truth.main(Path.expand(List.first(System.argv())))
