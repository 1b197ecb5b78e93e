#include "models/error.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "models/value.hpp"

namespace js {
namespace {

std::string name_of_the_current_type() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "something foreign";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                         &std::free);
  return std::string("a ") + (status == 0 ? name.get() : type->name());
}

}  // namespace

Error current_error() {
  const auto thrown = [](const Value& value) { return Error("", value.to_string()); };
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(error.what());
  } catch (const Value& value) {
    return thrown(value);
  } catch (const std::string& text) {
    return thrown(text);
  } catch (const char* text) {
    return thrown(text);
  } catch (int number) {
    return thrown(number);
  } catch (double number) {
    return thrown(number);
  } catch (bool truth) {
    return thrown(truth);
  } catch (...) {
    return Error("", name_of_the_current_type());
  }
}

}  // namespace js
