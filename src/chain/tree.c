#include "chain/tree.h"

#include "base/mem.h"

#include <assert.h>

void darc_tree_init(darc_tree_t tree)
{
    *tree = (darc_tree_struct){0};
}

void darc_tree_clear(darc_tree_t tree, const darc_jet_t jet)
{
    for (slong i = 0; i < tree->count; i++)
        darc_branch_free(tree->branch[i], jet);
    darc_free(tree->branch);
    darc_tree_init(tree);
}

void darc_tree_push_take(darc_tree_t tree, darc_branch *b)
{
    tree->branch = darc_grow(tree->branch, (size_t)tree->count, &tree->alloc,
                             sizeof *tree->branch);
    tree->branch[tree->count++] = b;
}

darc_branch *darc_tree_top(const darc_tree_t tree)
{
    return tree->count > 0 ? tree->branch[tree->count - 1] : NULL;
}

darc_branch *darc_tree_pop(darc_tree_t tree)
{
    assert(tree->count > 0);
    return tree->branch[--tree->count];
}

void darc_tree_split(darc_tree_t tree, const darc_dpoly_t h,
                     const darc_dpoly_struct *also, bool generic,
                     const darc_jet_t jet)
{
    darc_branch *top = darc_tree_pop(tree);
    darc_branch *other = darc_branch_copy(top, jet);
    darc_branch_add_equation(other, h, jet);
    if (also != NULL)
        darc_branch_add_equation(other, also, jet);
    other->generic = top->generic && generic;
    darc_branch_add_inequation(top, h, jet);
    darc_tree_push_take(tree, other);
    darc_tree_push_take(tree, top);
    tree->splits++;
}
