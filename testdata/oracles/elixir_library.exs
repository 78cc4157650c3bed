# The modules of Elixir's and Erlang's standard libraries, for l2meta/languages/elixir/library.txt:
# `elixir elixir_library.exs`. A line is the name of a module and, for Elixir, its public functions and
# macros by name and arity.
for application <- [:elixir, :eex, :ex_unit, :iex, :logger, :mix], do: Application.load(application)

elixir =
  for application <- [:elixir, :eex, :ex_unit, :iex, :logger, :mix],
      {:ok, modules} = :application.get_key(application, :modules),
      module <- modules,
      String.starts_with?(Atom.to_string(module), "Elixir.") do
    {:module, _} = Code.ensure_loaded(module)
    names = for {name, arity} <- module.__info__(:functions) ++ module.__info__(:macros), do: "#{name}/#{arity}"
    public = Enum.reject(names, &String.starts_with?(&1, ["MACRO-", "__struct__/"]))
    Enum.join([inspect(module) | Enum.sort(public)], " ")
  end

erlang =
  for folder <- Path.wildcard(Path.join(:code.lib_dir(), "*/ebin")),
      beam <- Path.wildcard(Path.join(folder, "*.beam")),
      name = Path.basename(beam, ".beam"),
      name =~ ~r/^[a-z]\w*$/,
      do: ":" <> name

preloaded = for module <- :erlang.pre_loaded(), do: ":#{module}"
(elixir ++ erlang ++ preloaded) |> Enum.uniq() |> Enum.sort() |> Enum.each(&IO.puts/1)
