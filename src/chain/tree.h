/* tree.h - the open branches of an elimination, a stack.
 *
 * The branch on top is worked on; splitting leaves it on top (the part that
 * is followed first) and puts the other part below it.
 */
#ifndef DARC_CHAIN_TREE_H
#define DARC_CHAIN_TREE_H

#include "chain/branch.h"

typedef struct {
    slong count;
    size_t alloc;
    darc_branch **branch; /* branch[count - 1] is the top; owned */
    long splits;          /* made so far */
} darc_tree_struct;

typedef darc_tree_struct darc_tree_t[1];

void darc_tree_init(darc_tree_t tree);
void darc_tree_clear(darc_tree_t tree, const darc_jet_t jet);

/* Put b, now owned by the tree, on top. */
void darc_tree_push_take(darc_tree_t tree, darc_branch *b);

/* Return the branch on top, NULL if no branch is open. */
darc_branch *darc_tree_top(const darc_tree_t tree);

/* Return the branch on top, no longer part of the tree. */
darc_branch *darc_tree_pop(darc_tree_t tree);

/* Split the branch on top on h (not a number): a new branch below it has
 * h = 0 and, unless NULL, also = 0; the top gets h != 0.  The new one is
 * generic if the top is and `generic` says so. */
void darc_tree_split(darc_tree_t tree, const darc_dpoly_t h,
                     const darc_dpoly_struct *also, bool generic,
                     const darc_jet_t jet);

#endif
