// weft new: writes a scenario to start from.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>

#include "cli/commands.hpp"
#include "cli/selection.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScenario = R"(// Two customers, one article left: who looks first and takes later sells it twice.
#include <atomic>
#include <thread>

#include <weft/scenario.hpp>

namespace {{

// --- broken: between the look and the sale somebody else may have bought the last one ---

struct LooksThenSells {{
  std::atomic<int> stock = 1;
  std::atomic<int> sold = 0;

  void sell() {{
    if (stock.load() == 0) return;
    weft::note("there is one left");
    stock.fetch_sub(1);
    sold.fetch_add(1);
  }}
}};

// --- fixed: looking and taking are one step ---

struct TakesAtOnce {{
  std::atomic<int> stock = 1;
  std::atomic<int> sold = 0;

  void sell() {{
    int seen = stock.load();
    do {{
      if (seen == 0) return;
    }} while (!stock.compare_exchange_weak(seen, seen - 1));
    sold.fetch_add(1);
  }}
}};

/// Runs once for each execution: everything that it needs is made here.
template <class Shop>
void two_customers() {{
  Shop shop;
  weft::name(shop.stock, "stock");
  weft::name(shop.sold, "sold");
  std::thread first([&] {{
    weft::name_thread("First");
    shop.sell();
  }});
  std::thread second([&] {{
    weft::name_thread("Second");
    shop.sell();
  }});
  first.join();
  second.join();
  weft::check(shop.sold.load() <= 1, "nothing is sold twice");
}}

WEFT_SCENARIO({0})
    .broken("looks_then_sells", two_customers<LooksThenSells>, weft::finds::invariant("nothing is sold twice"))
    .fixed("takes_at_once", two_customers<TakesAtOnce>);

}}  // namespace
)";

void write_scenario(const std::string& name) {
  if (!std::regex_match(name, std::regex("[a-z][a-z0-9_]*")))
    throw UsageError(fmt::format("`{}' cannot name a scenario: small letters, digits and _, a letter first", name));
  for (const Scenario* scenario : all_scenarios()) {
    if (scenario->name() == name)
      throw UsageError(fmt::format("there is a scenario `{}' already, in {}", name, scenario->file()));
  }
  const fs::path folder = fs::is_directory("scenarios") ? "scenarios" : ".";
  const fs::path path = (folder / (name + ".cpp")).lexically_normal();
  std::error_code fault;
  const fs::file_status there = fs::symlink_status(path, fault);
  if (there.type() == fs::file_type::none)
    throw UsageError(fmt::format("cannot write `{}': {}", path.string(), fault.message()));
  if (fs::exists(there)) throw UsageError(fmt::format("`{}' exists already", path.string()));
  std::ofstream out(path);
  out << fmt::format(kScenario, name);
  out.close();
  if (!out) throw UsageError(fmt::format("cannot write `{}': {}", path.string(), std::strerror(errno)));
  fmt::print(
      "{0} has a broken and a fixed variant to start from. Name the file in weft_add_scenarios(...) if its folder does "
      "not\n"
      "take every file, build, and look:\n"
      "  weft explore {1}\n",
      path.string(), name);
}

}  // namespace

void add_new(CLI::App& app, ExitCode& code) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand(
      "new", "write a scenario to start from: scenarios/NAME.cpp, or NAME.cpp where there is no such folder");
  command->add_option("name", *name, "small letters, digits and _")->required();
  command->callback([name, &code] {
    write_scenario(*name);
    code = ExitCode::as_expected;
  });
}

}  // namespace weft::cli
