// Promise.all, race, any and allSettled (ECMAScript, Promise.all and the following). Each takes promises of one type;
// their results have the order of the input, whatever is settled first. What they do not wait for goes on all the same:
// nothing is cancelled.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/promise.hpp"

namespace js {

namespace detail {
/// What all() of promises of T gives.
template <class T>
using Results = std::conditional_t<std::is_void_v<T>, void, std::vector<Stored<T>>>;

/// The results so far, and how many are still to come.
template <class Result>
struct Gathered {
  explicit Gathered(std::size_t count) : results(count), left(count) {}
  std::vector<std::optional<Result>> results;
  std::size_t left;

  /// True with the last one.
  bool put(std::size_t index, Result result) {
    results[index] = std::move(result);
    return --left == 0;
  }
  std::vector<Result> take() {
    std::vector<Result> all;
    for (std::optional<Result>& result : results) all.push_back(std::move(*result));
    return all;
  }
};
}  // namespace detail

/// Fulfilled with the values of all; rejected with the first rejection.
template <class T>
Promise<detail::Results<T>> all(const std::vector<Promise<T>>& promises) {
  using Value = detail::Stored<T>;
  const auto result = Promise<detail::Results<T>>::pending();
  const auto gathered = std::make_shared<detail::Gathered<Value>>(promises.size());
  const auto finish = [result, gathered] {
    if constexpr (std::is_void_v<T>) {
      result.resolve();
    } else {
      result.resolve(gathered->take());
    }
  };
  for (std::size_t i = 0; i < promises.size(); ++i) {
    promises[i].record().on_settled([=, promise = promises[i]] {
      if (promise.is_rejected()) {
        result.reject(promise.reason());
      } else if (gathered->put(i, promise.value())) {
        finish();
      }
    });
  }
  if (promises.empty()) finish();
  return result;
}

/// Settles like the first to settle; of none, never.
template <class T>
Promise<T> race(const std::vector<Promise<T>>& promises) {
  const Promise<T> result = Promise<T>::pending();
  for (const Promise<T>& promise : promises) {
    promise.record().on_settled([=] {
      if (promise.is_rejected()) {
        result.reject(promise.reason());
      } else {
        result.resolve(promise.value());
      }
    });
  }
  return result;
}

/// Fulfilled like the first that is; if all are rejected, rejected with an AggregateError that has their reasons in the
/// order of the input.
template <class T>
Promise<T> any(const std::vector<Promise<T>>& promises) {
  const Promise<T> result = Promise<T>::pending();
  const auto errors = std::make_shared<detail::Gathered<Error>>(promises.size());
  const auto fail = [result, errors] { result.reject(AggregateError(errors->take())); };
  for (std::size_t i = 0; i < promises.size(); ++i) {
    promises[i].record().on_settled([=, promise = promises[i]] {
      if (promise.is_fulfilled()) {
        result.resolve(promise.value());
      } else if (errors->put(i, promise.reason())) {
        fail();
      }
    });
  }
  if (promises.empty()) fail();
  return result;
}

/// How a promise ended.
template <class T>
struct Settled {
  std::optional<detail::Stored<T>> value{};  ///< if it was fulfilled
  std::optional<Error> reason{};             ///< if it was rejected

  bool fulfilled() const { return value.has_value(); }
};

/// Fulfilled with the ends of all.
template <class T>
Promise<std::vector<Settled<T>>> allSettled(const std::vector<Promise<T>>& promises) {
  const auto result = Promise<std::vector<Settled<T>>>::pending();
  const auto gathered = std::make_shared<detail::Gathered<Settled<T>>>(promises.size());
  for (std::size_t i = 0; i < promises.size(); ++i) {
    promises[i].record().on_settled([=, promise = promises[i]] {
      Settled<T> end;
      if (promise.is_rejected()) {
        end.reason = promise.reason();
      } else {
        end.value = promise.value();
      }
      if (gathered->put(i, std::move(end))) result.resolve(gathered->take());
    });
  }
  if (promises.empty()) result.resolve(std::vector<Settled<T>>());
  return result;
}

}  // namespace js
