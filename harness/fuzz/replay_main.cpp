// main() of a fuzz target where there is no fuzzing engine: runs each file that it is given, once.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

namespace {

void run_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "weft: cannot read " << path.string() << '\n';
    std::exit(64);
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::cerr << "Running: " << path.string() << '\n';
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  std::size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("-")) continue;  // a flag of an engine
    if (!std::filesystem::is_directory(argument)) {
      run_file(argument);
      ++files;
      continue;
    }
    std::vector<std::filesystem::path> inputs;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argument)) {
      if (entry.is_regular_file()) inputs.push_back(entry.path());
    }
    std::sort(inputs.begin(), inputs.end());
    for (const std::filesystem::path& input : inputs) run_file(input);
    files += inputs.size();
  }
  std::cerr << "Executed " << files << " inputs; this program has no fuzzing engine and looks for no others\n";
}
