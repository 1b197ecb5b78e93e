// The parts of standard containers that live in libstdc++.so: linking nodes of std::map, std::set and std::list, and
// the growth policy of the unordered containers.
//
// The library is not instrumented, so these are interposed to announce what they write: a container that is a global
// must be put back after a run, and two threads that insert at once must be seen to race. The work itself is done by
// the real functions. Interposed by their mangled names, since what they belong to is the library's own
// (bits/stl_tree.h, bits/stl_list.h, bits/hashtable_policy.h).
#include <dlfcn.h>

#include <cstddef>
#include <utility>

#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"

namespace weft {
namespace {

struct TreeNode {  // std::_Rb_tree_node_base
  int color;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};

struct ListNode {  // std::__detail::_List_node_base
  ListNode* next;
  ListNode* previous;
};

struct RehashPolicy {  // std::__detail::_Prime_rehash_policy
  float max_load_factor;
  std::size_t next_resize;
};

// The library's function of this name. No static with a guard: guards are the scenario's, and visible.
template <class Function>
struct Real {
  const char* name;
  Function* function = nullptr;

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    if (function == nullptr) {
      const Execution::Outside outside;
      function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    }
    return function(arguments...);
  }
};

template <class T>
void writes(T* object, const void* place) {
  if (Execution* const execution = Execution::current())
    plain_access(*execution, AccessKind::write, object, sizeof(T), place);
}

// Rebalancing changes nodes beside the path, but no one may look at them meanwhile who does not also look at the path.
void keep_subtree(TreeNode* node, int depth) {
  if (node == nullptr) return;
  keep_for_undo(node, sizeof *node);
  if (depth == 0) return;
  keep_subtree(node->left, depth - 1);
  keep_subtree(node->right, depth - 1);
}

void writes_path(TreeNode* from, TreeNode* header, int depth, const void* place) {
  if (Execution::current() == nullptr) return;
  for (TreeNode* node = from; node != header; node = node->parent) {
    writes(node, place);
    keep_subtree(node, depth);
  }
  writes(header, place);
}

}  // namespace
}  // namespace weft

using weft::ListNode;
using weft::Real;
using weft::RehashPolicy;
using weft::TreeNode;
using weft::writes;

#define WEFT_PLACE __builtin_return_address(0)

extern "C" {

// std::_Rb_tree_insert_and_rebalance(bool, node*, node*, node&)
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, TreeNode* node, TreeNode* parent,
                                                                       TreeNode* header) {
  static constinit Real<void(bool, TreeNode*, TreeNode*, TreeNode*)> next{
      "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"};
  weft::writes(node, WEFT_PLACE);
  weft::writes_path(parent, header, 1, WEFT_PLACE);
  next(left, node, parent, header);
}

// std::_Rb_tree_rebalance_for_erase(node*, node&)
TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(TreeNode* node, TreeNode* header) {
  static constinit Real<TreeNode*(TreeNode*, TreeNode*)> next{
      "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"};
  if (weft::Execution::current() != nullptr) {
    TreeNode* lowest = node;
    if (node->left != nullptr && node->right != nullptr) {  // its successor takes its place
      lowest = node->right;
      while (lowest->left != nullptr) lowest = lowest->left;
    }
    weft::writes_path(lowest, header, 3, WEFT_PLACE);
  }
  return next(node, header);
}

// std::__detail::_List_node_base::_M_hook(node*)
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* node, ListNode* position) {
  weft::writes(node, WEFT_PLACE);
  weft::writes(&position->previous->next, WEFT_PLACE);
  weft::writes(&position->previous, WEFT_PLACE);
  node->next = position;
  node->previous = position->previous;
  position->previous->next = node;
  position->previous = node;
}

// std::__detail::_List_node_base::_M_unhook()
void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* node) {
  weft::writes(&node->next->previous, WEFT_PLACE);
  weft::writes(&node->previous->next, WEFT_PLACE);
  node->previous->next = node->next;
  node->next->previous = node->previous;
}

// std::__detail::_List_node_base::_M_transfer(node*, node*)
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* position, ListNode* first, ListNode* last) {
  static constinit Real<void(ListNode*, ListNode*, ListNode*)> next{
      "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_"};
  for (ListNode* const node : {position, first, last}) {
    weft::writes(&node->previous->next, WEFT_PLACE);
    weft::writes(&node->previous, WEFT_PLACE);
  }
  next(position, first, last);
}

// std::__detail::_List_node_base::_M_reverse()
void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* header) {
  ListNode* node = header;
  do {
    weft::writes(node, WEFT_PLACE);
    std::swap(node->next, node->previous);
    node = node->previous;
  } while (node != header);
}

// std::__detail::_List_node_base::swap(node&, node&)
void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode* one, ListNode* other) {
  static constinit Real<void(ListNode*, ListNode*)> next{"_ZNSt8__detail15_List_node_base4swapERS0_S1_"};
  for (ListNode* const header : {one, other}) {
    weft::writes(header, WEFT_PLACE);
    weft::writes(&header->next->previous, WEFT_PLACE);
    weft::writes(&header->previous->next, WEFT_PLACE);
  }
  next(one, other);
}

// std::__detail::_Prime_rehash_policy::_M_next_bkt(unsigned long) const
std::size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(RehashPolicy* policy, std::size_t count) {
  static constinit Real<std::size_t(RehashPolicy*, std::size_t)> next{
      "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm"};
  weft::writes(&policy->next_resize, WEFT_PLACE);
  return next(policy, count);
}

struct RehashAnswer {  // std::pair<bool, std::size_t>, which comes back in registers too
  bool needed;
  std::size_t buckets;
};

// std::__detail::_Prime_rehash_policy::_M_need_rehash(unsigned long, unsigned long, unsigned long) const
RehashAnswer _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(RehashPolicy* policy, std::size_t buckets,
                                                                       std::size_t elements, std::size_t more) {
  static constinit Real<RehashAnswer(RehashPolicy*, std::size_t, std::size_t, std::size_t)> next{
      "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm"};
  weft::writes(&policy->next_resize, WEFT_PLACE);
  return next(policy, buckets, elements, more);
}

}  // extern "C"
