// Copyright. A sharded cache.
#pragma once

#include <memory>
#include "base/slice.h"

namespace store {
namespace detail::impl {
class Shard;
enum class Color : uint8_t { kRed, kGreen = 2 };
}  // namespace detail::impl

using Key = std::string;
using std::shared_ptr;
namespace fs = std::filesystem;

template <typename T>
concept Hashable = requires(T t) { hash(t); };

/// A cache of values.
template <typename K, typename V = int>
class STORE_EXPORT Cache final : public Base<K>, private detail::Shard {
 public:
  using Ptr = std::unique_ptr<Cache>;
  typedef int (*Hook)(int);
  static constexpr size_t kLimit = 1 << 10;
  enum State { kOpen, kClosed };

  Cache() = default;
  /// Makes one of that size.
  explicit Cache(size_t size, Options options = Options())
      : Base<K>(size), size_(clamp(size)), options_{std::move(options)} {
    Resize(size);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  virtual ~Cache();

  // Finds a key.
  [[nodiscard]] virtual const V* Find(const K& key, bool* found = nullptr) const noexcept override;
  virtual void Evict(int n) = 0;
  template <class... Args>
  auto Emplace(Args&&... args) -> decltype(auto) { return map_.emplace(std::forward<Args>(args)...); }
  explicit operator bool() const { return !map_.empty(); }
  V& operator[](const K& key) { return map_[key]; }
  static Ptr Make(size_t size) { return Ptr(new Cache<K, V>(size)); }
  friend bool operator==(const Cache& a, const Cache& b) { return a.size_ == b.size_; }
  friend class CacheTest;

 protected:
  struct Entry {
    K key;
    V value{};
    void Touch() { ++uses; }
    int uses = 0, age : 4;
  };

 private:
  void Resize(size_t n) EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  mutable Mutex mutex_;
  size_t size_ GUARDED_BY(mutex_);
  std::map<K, Entry> map_;
  Hook hooks_[4];
  union { int i; float f; } bits_;
};

template <>
struct Hash<Key> {
  size_t operator()(const Key& k) const { return k.size(); }
};

extern "C" STORE_EXPORT int store_version(void);
inline int Twice(int x) { return x * 2; }
std::ostream& operator<<(std::ostream& os, const Key& k);
}  // namespace store
