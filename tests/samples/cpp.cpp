// Prices with units, and everything C++ has for literals.
#include <compare>
#include <string_view>
#include "price.hpp"

#define CONCAT(a, b) a##b
#if __has_include(<optional>)
#  include <optional>
#else
#  error Can't do without <optional>
#endif

namespace shop::detail {

constexpr auto raw = R"(a "quoted" \n line)";
constexpr auto delimited = R"xml(<a href=")">)" </a>
second line)xml";
constexpr auto wide = LR"(wide)", utf8 = u8R"x(utf)x", utf16 = uR"y(16)y", utf32 = UR"z(32)z";
constexpr char16_t unit = u'€';
constexpr char8_t small = u8'a';
constexpr wchar_t slash = L'\\';

constexpr unsigned long long operator""_km(unsigned long long n) { return n * 1'000; }
constexpr auto distance = 12_km + 0x1F'FFu + 0b1010'1010 + 017 + 1'000'000LL;
constexpr double reals[] = {1., .5, 1.5e-3, 0x1.8p+3, 2.e5f, 1e+10L, 0x1p-2};
using namespace std::literals;
constexpr auto view = "text"sv;
const auto owned = "a" "b"s + 'c';

template <typename T, auto... Ns>
  requires std::integral<T> && (sizeof...(Ns) >= 1)
class [[nodiscard]] Price final : public Base<T> {
 public:
  explicit Price(T amount) noexcept : amount_{amount} {}
  virtual ~Price() override = default;
  Price(const Price&) = delete;
  auto operator<=>(const Price&) const = default;
  Price& operator>>=(int n) { amount_ >>= n; amount_ <<= 1; return *this; }
  T operator()(T (Price::*getter)() const) const { return (this->*getter)(); }
  template <class F> T apply(F&& f) { return std::forward<F>(f)(amount_, Ns...); }
  bool operator!=(std::nullptr_t) const { return not(amount_ == 0) and true; }

 private:
  T amount_ = {};
  mutable std::vector<std::vector<int>> cache_;
};

inline int count(const char* text) {
  /* a comment with // inside, and "quotes" */
  auto lambda = [&, n = 0](auto c) mutable -> int { return c == '\'' ? ++n : n--; };
  int total = 0;
  for (auto it = text; *it != '\0'; ++it) total += lambda(*it) ^ 0x0f;
  if (total < 0 || total % 2 == 1) [[unlikely]] goto done;
  total = static_cast<int>(total * 1.0e0) & ~1 | 2;
done:
  return total; // \
  still the comment
}

#define EACH(x)  \
  do {           \
    use(x, #x);  \
  } while (false)

struct Point { int x, y; };
auto point = Point{.x = 1, .y = 2};
auto member = &Point::x;
auto value = point.*member + (&point)->*member;
co_t run() { co_await next(); co_yield L"x"; co_return; }

}  // namespace shop::detail
