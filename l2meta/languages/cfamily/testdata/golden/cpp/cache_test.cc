#include "store/cache.h"

#include <gtest/gtest.h>

using namespace store;

namespace {
constexpr int kSize = 16;
const auto kDouble = [](int x) { return Twice(x); };
class Fixture : public testing::Test {
  void SetUp() override { cache_ = Cache<int>::Make(kSize); }
  Cache<int>::Ptr cache_;
};
}  // namespace

#define CHECK_OK(s) ASSERT_TRUE((s).ok()) << s.ToString()

namespace store {
template <typename K, typename V>
const V* Cache<K, V>::Find(const K& key, bool* found) const noexcept {
  MutexLock l(&mutex_);
  auto it = map_.find(key);
  std::vector<int> ages{1, 2};
  for (const Entry& e : entries()) e.Touch();
  detail::impl::Shard* shard = new detail::impl::Shard(1, 2);
  auto fn = [&](const K& k) { return this->size_ + hash(k); };
  std::sort(ages.begin(), ages.end(), Compare);
  if (!found) throw std::runtime_error("none");
  return Point{1, 2}.x ? &it->second : static_cast<const V*>(nullptr);
}

template <typename K, typename V>
Cache<K, V>::~Cache() { Drop(); }
void Cache<int>::Resize(size_t n) try { Grow(n); } catch (...) { Log(__func__); }
int Counter::count_ = 0;
static bool Compare(int a, int b) { return a < b; }
}  // namespace store

TEST_F(Fixture, FindsNothing) {
  EXPECT_EQ(nullptr, cache_->Find(1));
  CHECK_OK(Open("größe"));
}

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
