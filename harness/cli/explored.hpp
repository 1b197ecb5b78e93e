// What `weft explore` has to say about one variant, for whoever writes it down.
#pragma once

#include <cstddef>

#include "cli/judgement.hpp"
#include "cli/selection.hpp"
#include "weft/weft.hpp"

namespace weft::cli {

struct Explored {
  Selected selected;
  Result result{};
  Judgement judgement{};
  std::size_t known_schedules = 0;  ///< of earlier findings, which were tried first
};

}  // namespace weft::cli
