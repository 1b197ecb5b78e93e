// "Did you mean": the nearest of what there is to what was typed.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// "; did you mean `explore'?", or nothing if none of `known` is near. Near is what few insertions, deletions and
/// replacements of a character make of it (Levenshtein's distance): a third of its length at most.
std::string suggestion(const std::string& typed, const std::vector<std::string>& known);

}  // namespace weft::cli
