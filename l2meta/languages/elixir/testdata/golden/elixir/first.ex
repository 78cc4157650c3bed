defmodule First do
  @moduledoc "The first."
  use Base, only: [:run]
  alias Shop.{Item, Order}
  alias Shop.Kept, as: K
  import Made, only: [make: 1]
  @behaviour Named
  @most 3
  defstruct [:taken, kept: nil]

  @doc "Runs."
  @spec run(integer()) :: Item.t()
  def run(times \\ 1, opts) when times > 0 do
    local = Item.new(times)
    for i <- 1..times, do: Item.use(local, i)
    local |> Order.put(@most) |> K.keep()
  end

  def run(0, _), do: make(0)
  defp hidden(%First{taken: t}), do: walk(t)
  defmacro twice(x), do: quote(do: unquote(x) + unquote(x))
  defdelegate size(list), to: Enum, as: :count
  defguard is_many(n) when n > @most

  defmodule Inner do
    def held, do: First.run(2)
  end
end
