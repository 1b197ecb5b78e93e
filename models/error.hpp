// Errors as the platform has them: a name and a message. `throw js::Error("no quota")` is JavaScript's `throw new
// Error("no quota")`.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace js {

/// What promises are rejected with and callbacks throw. A value: copies are independent, as clones are.
class Error : public std::exception {
 public:
  explicit Error(std::string message = "") : Error("Error", std::move(message)) {}
  Error(std::string name, std::string message)
      : name_(std::move(name)),
        message_(std::move(message)),
        text_(message_.empty() ? name_ : name_.empty() ? message_ : name_ + ": " + message_) {}

  const std::string& name() const { return name_; }
  const std::string& message() const { return message_; }
  /// Of an AggregateError. A clone has none.
  const std::vector<Error>& errors() const { return errors_; }
  /// "TypeError: not a shared typed array", as the platform prints it.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  friend Error AggregateError(std::vector<Error> errors);
  std::string name_;
  std::string message_;
  std::string text_;
  std::vector<Error> errors_{};
};

inline Error TypeError(std::string message) { return {"TypeError", std::move(message)}; }
inline Error RangeError(std::string message) { return {"RangeError", std::move(message)}; }
/// The reason of an aborted operation that was given none.
inline Error AbortError() { return {"AbortError", "This operation was aborted"}; }
/// The reason of AbortSignal.timeout().
inline Error TimeoutError() { return {"TimeoutError", "The operation was aborted due to timeout"}; }
/// What Promise.any is rejected with if all of its promises are.
inline Error AggregateError(std::vector<Error> errors) {
  Error error("AggregateError", "All promises were rejected");
  error.errors_ = std::move(errors);
  return error;
}
inline Error DataCloneError(std::string message) { return {"DataCloneError", std::move(message)}; }

/// The exception being handled as an Error. One of C++'s own keeps its what(). JavaScript can throw any value: what is
/// no error gives an Error without a name, whose message is the value as text (`throw 42`: "42"), or else its type.
Error current_error();

}  // namespace js
