defmodule Shop.Accounts do
  @moduledoc """
  Accounts and their sessions.
  """

  use Shop.Context, repo: Shop.Repo
  import Ecto.Query, only: [from: 2]
  alias Shop.Accounts.{User, Token}
  alias Shop.Mailer, as: Mail
  require Logger

  @behaviour Shop.Store
  @max_age 60 * 60
  @roles [:admin, :user]

  @type id :: pos_integer()
  @typep secret :: binary()
  @opaque handle :: %{id: id()}
  @callback fetch(id(), opts :: keyword()) :: {:ok, term()} | :error

  defstruct [:id, :email, name: "größe"]

  @doc """
  Finds a user by id.

      iex> get_user(1)
  """
  @spec get_user(id()) :: User.t() | nil
  def get_user(id) when is_integer(id), do: Repo.get(User, id)

  def get_user(_), do: nil

  @doc "Lists users."
  @deprecated "use stream/1"
  def list_users(opts \\ []) do
    limit = Keyword.get(opts, :limit, 10)

    from(u in User, where: u.active)
    |> limit(^limit)
    |> Repo.all()
    |> Enum.map(&to_public/1)
  end

  # A private one.
  defp to_public(%User{} = user) do
    Logger.debug("user #{inspect(user)}")
    Map.take(user, [:id, :email])
  end

  defmacro secure(do: block) do
    quote do
      check!()
      unquote(block)
    end
  end

  defguard is_admin(user) when user.role == :admin
  defdelegate send_mail(user, body), to: Mail, as: :deliver

  defmodule Token do
    @moduledoc false
    def sign(data), do: Phoenix.Token.sign(Shop.Endpoint, "user", data)
  end
end

defprotocol Shop.Public do
  @doc "What may be shown."
  def to_public(value)
end

defimpl Shop.Public, for: Shop.Accounts.User do
  def to_public(user), do: Map.take(user, [:id])
end

defmodule Shop.AccountsTest do
  use ExUnit.Case, async: true

  setup do
    {:ok, user: insert(:user)}
  end

  describe "get_user/1" do
    test "finds one", %{user: user} do
      assert Shop.Accounts.get_user(user.id)
    end
  end
end
