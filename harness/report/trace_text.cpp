#include "report/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t kMostRows = 400;
constexpr std::size_t kWidestColumn = 60;
constexpr std::size_t kNarrowestColumn = 16;
constexpr std::size_t kNarrowestLastColumn = 26;
constexpr std::size_t kNarrowestState = 12;
constexpr std::string_view kStateTitle = "state";
constexpr std::string_view kPlaceTitle = "line";
constexpr std::size_t kFewestToFold = 4;
constexpr std::size_t kNumberWidth = 4;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// One entry of the table before it is broken into lines.
struct Entry {
  std::string number{};
  std::size_t column = kNoColumn;  ///< of the trace; none for a remark about the table itself
  std::string text{};
  std::string state{};
  std::string place{};
};

std::string file_of(const std::string& place) { return place.substr(0, place.rfind(':')); }

class Table {
 public:
  Table(const Trace& trace, const std::vector<std::uint32_t>& cited) : trace_(trace), cited_(cited) {
    for (const TraceRow& row : trace.rows) {
      if (row.shown()) rows_.push_back(&row);
    }
    find_common_file();
    make_entries();
  }

  std::string text(std::size_t width) {
    lay_out(width);
    std::string text = render_title();
    const std::size_t left_out = entries_.size() > kMostRows ? entries_.size() - kMostRows : 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (left_out != 0 && i == kMostRows / 2) {
        text += fmt::format("      ... {} rows left out ...\n", left_out);
        i += left_out;
      }
      text += render(entries_[i]);
    }
    return text;
  }

 private:
  /// Most rows are in one file, which the title names once.
  void find_common_file() {
    std::map<std::string, std::size_t> files;
    for (const TraceRow* row : rows_) {
      if (!row->place.empty()) ++files[file_of(row->place)];
    }
    std::size_t most = 0;
    for (const auto& [file, count] : files) {
      if (count > most) common_file_ = file;
      most = std::max(most, count);
    }
  }

  std::string short_place(const std::string& place) const {
    return place.empty() || file_of(place) != common_file_ ? place : place.substr(common_file_.size());
  }

  bool may_fold(const TraceRow& row) const {
    return row.alone && !row.marked && row.changes.empty() &&
           std::find(cited_.begin(), cited_.end(), row.number) == cited_.end();
  }

  void make_entries() {
    for (std::size_t i = 0; i < rows_.size();) {
      const TraceRow& row = *rows_[i];
      if (!row.switched.empty()) add_switch(row);
      std::size_t end = i;
      while (end < rows_.size() && rows_[end]->column == row.column && may_fold(*rows_[end])) ++end;
      if (end - i >= kFewestToFold) {
        entries_.push_back({.number = fmt::format("{}+", row.number),
                            .column = row.column,
                            .text = fmt::format("... {} steps on data of its own ...", end - i)});
        i = end;
        continue;
      }
      entries_.push_back({.number = row.number == 0 ? "" : std::to_string(row.number),
                          .column = row.column,
                          .text = (row.failing() || row.marked ? "!! " : "") + row.text,
                          .state = row.state(),
                          .place = short_place(row.place)});
      ++i;
    }
  }

  void add_switch(const TraceRow& to) {
    const std::size_t from = to.switched_from;
    std::string text =
        from < to.column ? fmt::format("~~~ {} ~~~>", to.switched) : fmt::format("<~~~ {} ~~~", to.switched);
    entries_.push_back({.column = from, .text = std::move(text)});
  }

  std::size_t width_from(std::size_t column) const {
    std::size_t sum = 0;
    for (std::size_t i = column; i < widths_.size(); ++i) sum += (i == column ? 0 : kGap) + widths_[i];
    return sum;
  }
  std::size_t total() const {
    return kNumberWidth + kGap + width_from(0) + (state_width_ == 0 ? 0 : kGap + state_width_) +
           (place_width_ == 0 ? 0 : kGap + place_width_);
  }

  void lay_out(std::size_t width) {
    column_of_.assign(trace_.columns.size(), kNoColumn);
    for (const Entry& entry : entries_) column_of_[entry.column] = 0;
    for (std::size_t t = 0; t < trace_.columns.size(); ++t) {
      if (column_of_[t] == kNoColumn) continue;
      column_of_[t] = titles_.size();
      titles_.push_back(trace_.columns[t]);
      widths_.push_back(std::min(kWidestColumn, trace_.columns[t].size()));
    }
    for (const Entry& entry : entries_) {
      std::size_t& column = widths_[column_of_[entry.column]];
      column = std::max(column, std::min(kWidestColumn, entry.text.size()));
      if (!entry.state.empty()) state_width_ = std::max({state_width_, entry.state.size(), kStateTitle.size()});
      if (!entry.place.empty()) place_width_ = std::max({place_width_, entry.place.size(), common_file_.size()});
    }
    make_narrower(width, kNarrowestLastColumn);
    if (total() > width) name_file_above();
    make_narrower(width, kNarrowestColumn);
    make_narrower(width, 0);
  }

  void make_narrower(std::size_t width, std::size_t narrowest_last) {
    while (total() > width) {
      std::size_t* const widest = widest_part(narrowest_last);
      if (widest == nullptr) return;  // too many columns: wider than asked
      --*widest;
    }
  }

  /// The name of the file takes less room above the table than in its title.
  void name_file_above() {
    std::size_t needed = kPlaceTitle.size();
    for (const Entry& entry : entries_) needed = std::max(needed, entry.place.size());
    if (needed >= place_width_) return;
    place_width_ = needed;
    file_is_above_ = true;
  }

  /// Of the parts that may become narrower. A row has text in one column only, which may go on below the titles to the
  /// right of its own: so columns need little more than room for their titles.
  std::size_t* widest_part(std::size_t narrowest_last) {
    std::size_t* widest = nullptr;
    const auto consider = [&](std::size_t& part, std::size_t narrowest) {
      if (part > narrowest && (widest == nullptr || part > *widest)) widest = &part;
    };
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool last = i + 1 == widths_.size();
      const std::size_t narrowest = std::min(titles_[i].size(), kNarrowestColumn);
      consider(widths_[i], last ? std::max(narrowest, narrowest_last) : narrowest);
    }
    consider(state_width_, kNarrowestState);
    return widest;
  }

  std::string render_title() const {
    std::string line = fmt::format("{:>{}}", "#", kNumberWidth);
    for (std::size_t i = 0; i < titles_.size(); ++i)
      line += fmt::format("{:{}}{:<{}}", "", kGap, titles_[i].substr(0, widths_[i]), widths_[i]);
    const std::string_view state = state_width_ == 0 ? "" : kStateTitle;
    if (!file_is_above_) return finished(std::move(line), state, common_file_);
    return fmt::format("{:>{}}  lines of {}\n", "", kNumberWidth, common_file_) +
           finished(std::move(line), state, kPlaceTitle);
  }

  std::string render(const Entry& entry) const {
    const std::size_t column = column_of_[entry.column];
    const std::size_t all = width_from(0);
    const std::size_t own = width_from(column);
    const std::vector<std::string> text = wrapped(entry.text, own);
    const std::vector<std::string> state = wrapped(entry.state, std::max<std::size_t>(state_width_, 1));
    std::string lines;
    for (std::size_t n = 0; n < std::max({text.size(), state.size(), std::size_t{1}}); ++n) {
      std::string line = fmt::format("{:>{}}{:{}}{:<{}}", n == 0 ? entry.number : "", kNumberWidth, "",
                                     kGap + all - own, n < text.size() ? text[n] : "", own);
      lines += finished(std::move(line), n < state.size() ? state[n] : "", n == 0 ? entry.place : "");
    }
    return lines;
  }

  std::string finished(std::string line, std::string_view state, std::string_view place) const {
    if (state_width_ != 0) line += fmt::format("{:{}}{:<{}}", "", kGap, state, state_width_);
    if (place_width_ != 0) line += fmt::format("{:{}}{}", "", kGap, place);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

  const Trace& trace_;
  const std::vector<std::uint32_t>& cited_;
  std::vector<const TraceRow*> rows_;
  std::string common_file_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> column_of_;  // by column of the trace
  std::vector<std::string> titles_;
  std::vector<std::size_t> widths_;
  std::size_t state_width_ = 0;
  std::size_t place_width_ = 0;
  bool file_is_above_ = false;  // which most places are in; else the title names it
};

}  // namespace

std::string trace_table(const Trace& trace, const std::vector<std::uint32_t>& cited, std::size_t width) {
  return Table(trace, cited).text(width);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = width;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) lines.emplace_back(text);
  return lines;
}

}  // namespace weft
