defmodule Shop.Cart do
  @moduledoc "A cart."
  use GenServer, restart: :transient
  use Shop.Web, :live
  @behaviour Shop.Store
  alias Shop.{Price, Tax}
  alias Shop.Stock, as: Store
  import Enum, only: [map: 2, sum: 1]
  require Logger

  @adapter Shop.Adapter
  @limit limit(3)

  @doc "Adds an item."
  @spec add(t, term) :: t
  def add(cart, item \\ nil)
  def add(cart, nil), do: cart
  def add(cart, %{price: price} = item) when is_price(price) do
    cart |> Store.put(item) |> refresh
  end

  defdelegate tax(cart), to: Tax, as: :of

  defp refresh(cart), do: map(cart, &total/1) |> Enum.each(&Price.print(&1, :short))

  def total(cart) do
    @adapter.total(cart, fn x -> x.price end)
    cart.items
    __MODULE__.Sums.sum(cart)
    :lists.sum(cart)
    "#{label(cart)}"
  end

  def unquote(:made)(x), do: x

  defmacro __using__(opts) do
    quote bind_quoted: [opts: checked(opts)] do
      import Shop.Cart
      @behaviour unquote(__MODULE__)
      def opened(x), do: unquote(body(opts))
    end
  end

  defguard is_price(x) when is_integer(x)
end

defimpl Shop.Sized, for: [Shop.Cart, List] do
  def size(x), do: length(x)
end

defmodule Shop.CartTest do
  use ExUnit.Case

  describe "adding" do
    setup [:cart]

    test "adds", %{cart: cart} do
      assert Shop.Cart.add(cart, 1)
    end

    defp cart(_), do: []
  end
end
