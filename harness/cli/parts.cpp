// Where the parts lie, in a build and installed.
#include "cli/parts.hpp"

#include <fmt/format.h>

#include "cli/selection.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

bool are_complete(const Parts& parts) {
  return fs::exists(parts.objects / "engine.o") && fs::exists(parts.objects / "check_main.o") &&
         fs::exists(parts.headers / "weft/weft.h");
}

}  // namespace

Parts find_parts() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const Parts built{here / "weft-parts", here / "weft-parts/include"};
  const Parts installed{(here / WEFT_INSTALLED_PARTS).lexically_normal(),
                        (here / WEFT_INSTALLED_HEADERS).lexically_normal()};
  for (const Parts& parts : {built, installed})
    if (are_complete(parts)) return parts;
  throw UsageError(
      fmt::format("what is linked with a checked program is missing: neither `{}' nor `{}' has it; build or install "
                  "weft again, or use the `weft' of "
                  "Weft itself if this is a program of yours",
                  built.objects.string(), installed.objects.string()));
}

}  // namespace weft::cli
