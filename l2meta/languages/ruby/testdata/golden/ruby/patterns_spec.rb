RSpec.describe Patterns, type: :model do
  LIMIT = 3
  let(:one) { Patterns.new }
  subject { described_class.new(one) }
  it { is_expected.to be }
  it do
    helper
  end
  it "named", :slow do
    def nested; end
    expect(one).to eq(LIMIT)
  end
  context :symbol do
    describe(Patterns::Deep) { it("deep") { one } }
    specify name do
      one
    end
  end
  Other.describe("not a group") { one }
  describe "without a block"
  def helper; end
  attr_reader :at
  xit("later") { }
end

class PatternsTest < Minitest::Test
  def setup; end
  def test_one; end
  def testing; end
  def self.test_two; end
  test "titled" do
    one
  end
  private
  def test_private; end
end

def test_top; end
