#include "graph/consistency.hpp"

#include <algorithm>
#include <cstdint>

namespace weft {

std::size_t coherence_floor(const ExecutionGraph& graph, LocationId l, ClockView clock) {
  const ExecutionGraph::Location& location = graph.location(l);
  std::size_t floor = 0;
  for (std::size_t i = location.writes.size(); i-- > 0;) {
    if (covers(clock, graph[location.writes[i]])) {
      floor = i + 1;
      break;
    }
  }
  for (EventId r : location.reads) {
    const Event& read = graph[r];
    if (is_initial_write(read.source) || !covers(clock, read)) continue;
    floor = std::max(floor, graph.coherence_position(l, read.source));
  }
  return floor;
}

void sequential_past(const ExecutionGraph& graph, ThreadId t, std::size_t length, std::vector<ClockTick>& past) {
  const std::size_t width = graph.clock_width();
  past.assign(2 * width, 0);
  ClockTick* known = past.data();            // how far each thread belongs to the past
  ClockTick* scanned = past.data() + width;  // how far its events have been followed
  const auto include = [&](EventId e) {
    if (e == kNoEvent || is_initial_write(e)) return;
    const Event& event = graph[e];
    ClockTick& tick = known[index(event.thread)];
    tick = std::max(tick, static_cast<ClockTick>(event.index) + 1);
  };
  known[index(t)] = static_cast<ClockTick>(length);
  if (length == 0) include(graph.created_by(t));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t u = 0; u < width; ++u) {
      if (scanned[u] == 0 && known[u] > 0) include(graph.created_by(ThreadId{static_cast<std::uint16_t>(u)}));
      while (scanned[u] < known[u]) {
        changed = true;
        const EventId id = graph.thread(ThreadId{static_cast<std::uint16_t>(u)})[static_cast<std::size_t>(scanned[u]++)];
        const Event& e = graph[id];
        if (e.kind != EventKind::write) {
          include(e.source);
          continue;
        }
        // co: the write before it; fr: the readers of that write. Earlier ones follow from these.
        const std::size_t position = graph.coherence_position(e.location, id);
        const EventId before = graph.write_at(e.location, position - 1);
        include(before);
        for (EventId r : graph.location(e.location).reads) {
          if (graph[r].source == before) include(r);
        }
      }
    }
  }
  past.resize(width);
}

std::size_t sequential_floor(const ExecutionGraph& graph, LocationId l, ThreadId t, std::size_t length,
                             std::vector<ClockTick>& past) {
  sequential_past(graph, t, length, past);
  const std::vector<EventId>& writes = graph.location(l).writes;
  for (std::size_t i = writes.size(); i-- > 0;) {
    if (covers(past, graph[writes[i]])) return i + 1;
  }
  return 0;
}

namespace {

// psc, from "Repairing sequential consistency in C/C++11" (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017), definition of
// RC11. Every relation but psc itself is decided for a pair of events in constant time from clocks and positions.
class SeqCstOrder {
 public:
  explicit SeqCstOrder(const ExecutionGraph& graph) : graph_(graph), position_(graph.size(), 0) {
    for (LocationId l : graph.locations_in_use()) {
      const ExecutionGraph::Location& location = graph.location(l);
      for (std::size_t i = 0; i < location.writes.size(); ++i) position_[index(location.writes[i])] = i + 1;
      for (EventId r : location.reads) {
        const EventId source = graph[r].source;
        if (!is_initial_write(source)) position_[index(r)] = graph.coherence_position(l, source);
      }
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const EventId e{static_cast<std::uint32_t>(i)};
      if (graph[e].order == Order::seq_cst) nodes_.push_back(e);
    }
  }

  bool acyclic() {
    const std::size_t n = nodes_.size();
    std::vector<std::vector<std::size_t>> next(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (psc(nodes_[a], nodes_[b])) {
          if (a == b) return false;
          next[a].push_back(b);
        }
      }
    }
    std::vector<std::uint8_t> state(n, 0);
    std::vector<std::pair<std::size_t, std::size_t>> path;
    for (std::size_t root = 0; root < n; ++root) {
      if (state[root] != 0) continue;
      path.assign(1, {root, 0});
      state[root] = 1;
      while (!path.empty()) {
        auto& [node, i] = path.back();
        if (i == next[node].size()) {
          state[node] = 2;
          path.pop_back();
          continue;
        }
        const std::size_t child = next[node][i++];
        if (state[child] == 1) return false;
        if (state[child] == 0) {
          state[child] = 1;
          path.emplace_back(child, 0);
        }
      }
    }
    return true;
  }

 private:
  bool hb(EventId a, EventId b) const { return a != b && covers(graph_.happens_before(b), graph_[a]); }
  bool is_access(const Event& e) const { return e.kind == EventKind::read || e.kind == EventKind::write; }
  bool same_location(EventId a, EventId b) const {
    return graph_[a].location == graph_[b].location && graph_[a].location != kNoLocation;
  }

  /// co u fr; with `extended` also rf and their compositions (eco), for two events of one location.
  bool co_or_fr(EventId a, EventId b) const {
    if (a == b || !is_access(graph_[a]) || graph_[b].kind != EventKind::write || !same_location(a, b)) return false;
    return position_[index(a)] < position_[index(b)];
  }
  bool eco(EventId a, EventId b) const {
    if (a == b || !is_access(graph_[a]) || !is_access(graph_[b]) || !same_location(a, b)) return false;
    if (graph_[a].kind == EventKind::write && graph_[b].kind == EventKind::read) {
      return position_[index(a)] <= position_[index(b)];
    }
    return position_[index(a)] < position_[index(b)];
  }

  bool scb(EventId a, EventId b) const {
    if (a == b) return false;
    const Event& x = graph_[a];
    const Event& y = graph_[b];
    if (x.thread == y.thread && x.index < y.index) return true;
    if (co_or_fr(a, b)) return true;
    if (!hb(a, b)) return false;
    if (same_location(a, b)) return true;
    // sb to another location, hb, sb from another location: the widest choice of both ends decides.
    const EventId after = next_elsewhere(a);
    const EventId before = previous_elsewhere(b);
    return after != kNoEvent && before != kNoEvent && hb(after, before);
  }
  EventId next_elsewhere(EventId e) const {
    const std::span<const EventId> line = graph_.thread(graph_[e].thread);
    for (std::size_t i = graph_[e].index + 1; i < line.size(); ++i) {
      if (!same_location(e, line[i])) return line[i];
    }
    return kNoEvent;
  }
  EventId previous_elsewhere(EventId e) const {
    const std::span<const EventId> line = graph_.thread(graph_[e].thread);
    for (std::size_t i = graph_[e].index; i-- > 0;) {
      if (!same_location(e, line[i])) return line[i];
    }
    return kNoEvent;
  }

  bool psc(EventId a, EventId b) const {
    const bool fence_a = graph_[a].kind == EventKind::fence;
    const bool fence_b = graph_[b].kind == EventKind::fence;
    if (scb(a, b)) return true;
    if (!fence_a && !fence_b) return false;
    const std::size_t n = graph_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const EventId x{static_cast<std::uint32_t>(i)};
      const bool from_a = x == a || (fence_a && hb(a, x));
      if (!from_a) continue;
      for (std::size_t j = 0; j < n; ++j) {
        const EventId y{static_cast<std::uint32_t>(j)};
        const bool to_b = y == b || (fence_b && hb(y, b));
        if (!to_b) continue;
        if (scb(x, y)) return true;
        if (fence_a && fence_b && x != a && y != b && eco(x, y)) return true;
      }
    }
    return fence_a && fence_b && hb(a, b);
  }

  const ExecutionGraph& graph_;
  std::vector<std::size_t> position_;  // coherence position of a write, or of what a read reads
  std::vector<EventId> nodes_;
};

}  // namespace

bool seq_cst_order_exists(const ExecutionGraph& graph) { return SeqCstOrder(graph).acyclic(); }

}  // namespace weft
