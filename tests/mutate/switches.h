#pragma once

// Included before everything else in the build of tests/mutate.py: operators and constants that do
// something else when the environment says so. places.py writes them into a copy of the sources:
//
//     a + b    becomes   a + kvm::Plus<17>{} + b
//     1        becomes   kvm::number<19>(1)
//
// The number is the mutant's; an operator between two others of its rank binds as they do. What the
// compiler works out stays as it is. A mutant that makes no sense for its types (a difference of
// texts) is not `usable`, and nobody counts it.

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace kvm {

inline constexpr unsigned kMost = 32768;
extern unsigned current;                // the mutant that is switched on; 0: none
extern unsigned char reached[kMost];    // since the test began
extern unsigned char is_usable[kMost];  // by types

template <unsigned Id>
struct Usable {
  static inline const bool here = (is_usable[Id] = 1) != 0;
};

template <unsigned Id>
bool on() {
  const bool& known = Usable<Id>::here;
  (void)known;
  reached[Id] = 1;
  return current == Id;
}

// Numbers and counts; texts, pointers and iterators are left alone.
template <class T>
concept Numeric = std::is_arithmetic_v<T> || requires(T t) {
  t.raw();
};

#define KVM_ARITHMETIC(NAME, OP, ALT)                                                \
  template <unsigned Id>                                                             \
  struct NAME {};                                                                    \
  template <class A, unsigned Id>                                                    \
  struct NAME##Left {                                                                \
    A&& a;                                                                           \
  };                                                                                 \
  template <class A, unsigned Id>                                                    \
  constexpr NAME##Left<A, Id> operator OP(A&& a, NAME<Id>) {                         \
    return {std::forward<A>(a)};                                                     \
  }                                                                                  \
  template <class A, unsigned Id, class B>                                           \
  constexpr auto operator OP(NAME##Left<A, Id> left, B&& b) {                        \
    using R = std::decay_t<decltype(std::forward<A>(left.a) OP std::forward<B>(b))>; \
    if constexpr (Numeric<R>) {                                                      \
      if (!std::is_constant_evaluated()) {                                           \
        if constexpr (requires { static_cast<R>(left.a ALT b); }) {                  \
          if (on<Id>()) return static_cast<R>(left.a ALT b);                         \
        }                                                                            \
        if constexpr (requires { static_cast<R>(left.a); }) {                        \
          if (on<Id + 1>()) return static_cast<R>(left.a);                           \
        }                                                                            \
      }                                                                              \
    }                                                                                \
    return std::forward<A>(left.a) OP std::forward<B>(b);                            \
  }
KVM_ARITHMETIC(Plus, +, -)
KVM_ARITHMETIC(Minus, -, +)
KVM_ARITHMETIC(Times, *, /)
KVM_ARITHMETIC(Over, /, *)
KVM_ARITHMETIC(Rest, %, /)
#undef KVM_ARITHMETIC

#define KVM_COMPARISON(NAME, OP, ALT)                              \
  template <unsigned Id>                                           \
  struct NAME {};                                                  \
  template <class A, unsigned Id>                                  \
  struct NAME##Left {                                              \
    A&& a;                                                         \
  };                                                               \
  template <class A, unsigned Id>                                  \
  constexpr NAME##Left<A, Id> operator OP(A&& a, NAME<Id>) {       \
    return {std::forward<A>(a)};                                   \
  }                                                                \
  template <class A, unsigned Id, class B>                         \
  constexpr bool operator OP(NAME##Left<A, Id> left, const B& b) { \
    if (!std::is_constant_evaluated()) {                           \
      if (on<Id>()) return left.a ALT b;                           \
    }                                                              \
    return left.a OP b;                                            \
  }
KVM_COMPARISON(Less, <, <=)
KVM_COMPARISON(More, >, >=)
KVM_COMPARISON(AtMost, <=, <)
KVM_COMPARISON(AtLeast, >=, >)
KVM_COMPARISON(Same, ==, !=)
KVM_COMPARISON(Other, !=, ==)
#undef KVM_COMPARISON

#define KVM_ASSIGNMENT(NAME, OP, ALT)                           \
  template <unsigned Id>                                        \
  struct NAME {};                                               \
  template <unsigned Id, class B>                               \
  struct NAME##Right {                                          \
    B&& b;                                                      \
  };                                                            \
  template <unsigned Id, class B>                               \
  constexpr NAME##Right<Id, B> operator OP(NAME<Id>&&, B&& b) { \
    return {std::forward<B>(b)};                                \
  }                                                             \
  template <class A, unsigned Id, class B>                      \
  constexpr A& operator OP(A& a, NAME##Right<Id, B> right) {    \
    if constexpr (Numeric<A>) {                                 \
      if (!std::is_constant_evaluated()) {                      \
        if constexpr (requires { a ALT right.b; }) {            \
          if (on<Id>()) return a ALT right.b, a;                \
        }                                                       \
        if (on<Id + 1>()) return a;                             \
      }                                                         \
    }                                                           \
    a OP std::forward<B>(right.b);                              \
    return a;                                                   \
  }
KVM_ASSIGNMENT(AddTo, +=, -=)
KVM_ASSIGNMENT(TakeFrom, -=, +=)
#undef KVM_ASSIGNMENT

// One more than it says; a fraction a quarter more.
template <unsigned Id, class T>
constexpr T number(T value) {
  if (!std::is_constant_evaluated()) {
    if (on<Id>()) return std::is_floating_point_v<T> ? T(value * T(1.25)) : T(value + T(1));
  }
  return value;
}

template <unsigned Id>
constexpr bool truth(bool value) {
  if (!std::is_constant_evaluated()) {
    if (on<Id>()) return !value;
  }
  return value;
}

// a && b as !(!a || !b): with the switch on, `flip() != ((flip() != a) && (flip() != b))` is a ||
// b, and the right side is looked at only where it has to be.
template <unsigned Id>
constexpr bool flip() {
  if (!std::is_constant_evaluated()) return on<Id>();
  return false;
}

template <unsigned Id>
struct Ends {
  template <class T>
  static constexpr const T& min(const T& a, const T& b) {
    if (!std::is_constant_evaluated()) {
      if (on<Id>()) return std::max(a, b);
    }
    return std::min(a, b);
  }
  template <class T>
  static constexpr const T& max(const T& a, const T& b) {
    if (!std::is_constant_evaluated()) {
      if (on<Id>()) return std::min(a, b);
    }
    return std::max(a, b);
  }
  template <class T>
  static constexpr T min(std::initializer_list<T> all) {
    if (!std::is_constant_evaluated()) {
      if (on<Id>()) return std::max(all);
    }
    return std::min(all);
  }
  template <class T>
  static constexpr T max(std::initializer_list<T> all) {
    if (!std::is_constant_evaluated()) {
      if (on<Id>()) return std::min(all);
    }
    return std::max(all);
  }
};

}  // namespace kvm
