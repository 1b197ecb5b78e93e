#include "graph/axioms.hpp"

#include <algorithm>

#include "graph/relation.hpp"

namespace weft {
namespace {

/// The relations that a graph states, over its events and, behind them, the initial writes of its locations.
class Definitions {
 public:
  explicit Definitions(const ExecutionGraph& graph)
      : graph_(graph),
        events_(graph.size()),
        size_(events_ + graph.locations_in_use().size()),
        sb_(size_),
        rf_(size_),
        co_(size_),
        fr_(size_),
        forced_(size_),
        forced_sync_(size_) {
    state_program_order();
    state_coherence();
    state_sources();
  }

  bool well_formed() const { return well_formed_; }
  Relation sequential_order() const { return sb_ | rf_ | co_ | fr_ | forced_; }
  Relation porf() const { return (sb_ | rf_ | forced_).closure(); }
  Relation happens_before() const { return (sb_ | forced_sync_ | synchronizes_with()).closure(); }
  bool atomic() const;
  bool consistent_rc11() const;

 private:
  std::size_t node(EventId e) const {
    if (!is_initial_write(e)) return index(e);
    const auto used = graph_.locations_in_use();
    const auto found = std::find(used.begin(), used.end(), initial_write_location(e));
    return events_ + static_cast<std::size_t>(found - used.begin());
  }
  EventId event(std::size_t node) const { return EventId{static_cast<std::uint32_t>(node)}; }
  bool is_event(std::size_t node) const { return node < events_; }
  LocationId location(std::size_t node) const {
    return is_event(node) ? graph_[event(node)].location : graph_.locations_in_use()[node - events_];
  }
  bool same_location(std::size_t a, std::size_t b) const {
    return location(a) != kNoLocation && location(a) == location(b);
  }
  bool is_fence(std::size_t node) const { return is_event(node) && graph_[event(node)].kind == EventKind::fence; }
  bool synchronizes_as_fence(std::size_t node) const { return is_fence(node) && graph_[event(node)].synchronizes; }
  bool is_seq_cst(std::size_t node) const { return is_event(node) && graph_[event(node)].order == Order::seq_cst; }

  void state_program_order();
  void state_coherence();
  void state_sources();
  EventId source_by_chain(const Event& e) const;
  Relation synchronizes_with() const;
  bool sequentially_consistent_where_asked(const Relation& hb, const Relation& eco) const;

  const ExecutionGraph& graph_;
  std::size_t events_;
  std::size_t size_;
  Relation sb_, rf_, co_, fr_;
  Relation forced_;       // creation to first event; gate, receive and join from their sources
  Relation forced_sync_;  // those of them that synchronize
  bool well_formed_ = true;
};

void Definitions::state_program_order() {
  for (std::size_t initial = events_; initial < size_; ++initial) {
    for (std::size_t e = 0; e < events_; ++e) sb_.add(initial, e);
  }
  for (std::size_t a = 0; a < events_; ++a) {
    const Event& x = graph_[event(a)];
    for (std::size_t b = 0; b < events_; ++b) {
      const Event& y = graph_[event(b)];
      if (x.thread == y.thread && x.index < y.index) sb_.add(a, b);
      if (x.kind == EventKind::create && y.thread == ThreadId{static_cast<std::uint16_t>(x.value)} && y.index == 0) {
        forced_.add(a, b);
        forced_sync_.add(a, b);
      }
    }
  }
}

void Definitions::state_coherence() {
  std::vector<std::size_t> places(events_, 0);
  for (LocationId l : graph_.locations_in_use()) {
    std::vector<std::size_t> order{node(initial_write(l))};
    for (EventId w : graph_.location(l).writes) {
      ++places[index(w)];
      well_formed_ = well_formed_ && graph_[w].kind == EventKind::write && graph_[w].location == l;
      order.push_back(index(w));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) co_.add(order[i], order[j]);
    }
  }
  for (std::size_t e = 0; e < events_; ++e) {
    const bool write = graph_[event(e)].kind == EventKind::write;
    well_formed_ = well_formed_ && places[e] == (write ? 1u : 0u);
  }
}

/// What a gate or a receive must have waited for.
EventId Definitions::source_by_chain(const Event& e) const {
  const auto line = graph_.thread(e.thread);
  if (e.kind == EventKind::gate) {
    // The lock is the write part before the gate, and the read part before that says whose section comes first.
    const EventId first = graph_[line[e.index - 2]].source;
    if (is_initial_write(first)) return kNoEvent;
    const Event& lock = graph_[first];
    for (EventId other : graph_.thread(lock.thread)) {
      const Event& unlock = graph_[other];
      if (unlock.kind == EventKind::unlock && unlock.location == lock.location && unlock.index > lock.index)
        return other;
    }
    return initial_write(e.location);  // a gate that should be shut: no event can have this source
  }
  std::size_t nth = 0;
  for (EventId other : line) {
    const Event& receive = graph_[other];
    nth += receive.kind == EventKind::receive && receive.location == e.location && receive.index < e.index;
  }
  const auto& sends = graph_.location(e.location).writes;
  return nth < sends.size() ? sends[nth] : initial_write(e.location);
}

void Definitions::state_sources() {
  for (std::size_t i = 0; i < events_; ++i) {
    const Event& e = graph_[event(i)];
    switch (e.kind) {
      case EventKind::read: {
        const std::size_t source = node(e.source);
        well_formed_ = well_formed_ && same_location(source, i);
        rf_.add(source, i);
        for (std::size_t w = 0; w < size_; ++w) {
          if (co_.has(source, w)) fr_.add(i, w);
        }
        break;
      }
      case EventKind::gate:
      case EventKind::receive:
        well_formed_ = well_formed_ && e.source == source_by_chain(e);
        [[fallthrough]];
      case EventKind::join:
        if (e.source == kNoEvent) break;
        if (is_initial_write(e.source)) {
          well_formed_ = false;
          break;
        }
        forced_.add(index(e.source), i);
        if (e.synchronizes) forced_sync_.add(index(e.source), i);
        break;
      default:
        break;
    }
  }
}

/// A release write or fence synchronizes with an acquire read or fence through a write whose release sequence is read.
Relation Definitions::synchronizes_with() const {
  Relation sw(size_);
  for (std::size_t r = 0; r < events_; ++r) {
    const Event& read = graph_[event(r)];
    if (read.kind != EventKind::read) continue;
    std::vector<std::size_t> acquires;
    if (is_acquire(read.order)) acquires.push_back(r);
    for (std::size_t f = 0; f < events_ && read.seen_by_fences; ++f) {
      if (synchronizes_as_fence(f) && is_acquire(graph_[event(f)].order) && sb_.has(r, f)) acquires.push_back(f);
    }
    // Every write of the RMW chain that ends in the write that was read heads a release sequence with that write in it.
    for (EventId head = read.source; !is_initial_write(head);) {
      const Event& write = graph_[head];
      std::vector<std::size_t> releases;
      if (is_release(write.order)) releases.push_back(index(head));
      for (std::size_t f = 0; f < events_ && write.seen_by_fences; ++f) {
        if (synchronizes_as_fence(f) && is_release(graph_[event(f)].order) && sb_.has(f, index(head)))
          releases.push_back(f);
      }
      for (std::size_t a : releases) {
        for (std::size_t b : acquires) {
          if (a != b) sw.add(a, b);
        }
      }
      if (write.role == WriteRole::plain) break;
      head = graph_[graph_.thread(write.thread)[write.index - 1]].source;
    }
  }
  return sw;
}

/// Nothing comes between the write that an RMW reads and the one that it writes.
bool Definitions::atomic() const {
  for (std::size_t w = 0; w < events_; ++w) {
    const Event& write = graph_[event(w)];
    if (!write.is_write_part()) continue;
    const EventId read = graph_.thread(write.thread)[write.index - 1];
    const std::size_t source = node(graph_[read].source);
    if (!co_.has(source, w)) return false;
    for (std::size_t between = 0; between < events_; ++between) {
      if (co_.has(source, between) && co_.has(between, w)) return false;
    }
  }
  return true;
}

bool Definitions::consistent_rc11() const {
  // No value out of thin air.
  if (!porf().irreflexive()) return false;
  if (!atomic()) return false;
  // Coherence: hb; eco? is irreflexive.
  const Relation hb = happens_before();
  const Relation eco = (rf_ | co_ | fr_).closure();
  if (!hb.irreflexive() || !eco.irreflexive() || !(hb * eco).irreflexive()) return false;
  return sequentially_consistent_where_asked(hb, eco);
}

bool Definitions::sequentially_consistent_where_asked(const Relation& hb, const Relation& eco) const {
  Relation accesses_and_fences(size_);
  Relation fences(size_);
  std::size_t seq_cst = 0;
  for (std::size_t e = 0; e < events_; ++e) {
    if (!is_seq_cst(e)) continue;
    ++seq_cst;
    accesses_and_fences.add(e, e);
    if (is_fence(e)) fences.add(e, e);
  }
  if (seq_cst < 2) return true;
  const Relation elsewhere = sb_.where([&](std::size_t a, std::size_t b) { return !same_location(a, b); });
  const Relation here = hb.where([&](std::size_t a, std::size_t b) { return same_location(a, b); });
  const Relation scb = sb_ | (elsewhere * hb * elsewhere) | here | co_ | fr_;
  const Relation maybe_hb = hb.reflexive();
  const Relation base = (accesses_and_fences | (fences * maybe_hb)) * scb * (accesses_and_fences | (maybe_hb * fences));
  const Relation of_fences = fences * (hb | (hb * eco * hb)) * fences;
  return (base | of_fences).acyclic();
}

/// True if the clock of every event counts, for each thread, exactly the events before it in `past` and itself.
template <class ClockOf>
bool clocks_equal(const ExecutionGraph& graph, const Relation& past, ClockOf clock_of) {
  for (std::size_t e = 0; e < graph.size(); ++e) {
    std::vector<ClockTick> expected(graph.clock_width(), 0);
    for (std::size_t p = 0; p < graph.size(); ++p) {
      if (p != e && !past.has(p, e)) continue;
      const Event& event = graph[EventId{static_cast<std::uint32_t>(p)}];
      ClockTick& tick = expected[index(event.thread)];
      tick = std::max(tick, static_cast<ClockTick>(event.index) + 1);
    }
    if (!std::ranges::equal(clock_of(EventId{static_cast<std::uint32_t>(e)}), expected)) return false;
  }
  return true;
}

}  // namespace

bool satisfies_axioms(const ExecutionGraph& graph, Model model) {
  const Definitions definitions(graph);
  if (!definitions.well_formed()) return false;
  if (model == Model::rc11) return definitions.consistent_rc11();
  return definitions.sequential_order().acyclic() && definitions.atomic();
}

bool clocks_are_exact(const ExecutionGraph& graph) {
  const Definitions definitions(graph);
  return clocks_equal(graph, definitions.porf(), [&](EventId e) { return graph.porf(e); }) &&
         clocks_equal(graph, definitions.happens_before(), [&](EventId e) { return graph.happens_before(e); });
}

}  // namespace weft
