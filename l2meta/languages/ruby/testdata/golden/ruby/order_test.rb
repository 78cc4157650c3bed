require "test_helper"

class OrderTest < ActiveSupport::TestCase
  setup { @order = orders(:one) }

  test "is paid" do
    assert @order.pay!(by: card)
  end

  def test_total
    assert_equal 3, @order.total
  end

  private

  def card
    Card.new
  end
end

RSpec.describe Shop::Order do
  let(:order) { build(:order) }

  describe "#pay!" do
    it "charges the card" do
      expect(order.pay!).to be_truthy
    end
  end
end
