/* carrier.h - a result on its way out of a child: one function a type says what
 * it consists of, there to put it into the answer, here to find it again in
 * these bytes, where it stays.
 */
#pragma once

#include "darc/apart.h"

/* Return whether work is to be done in a child (darc/apart.h): not where the
 * budget says `here`, nor beside other threads, whose locks a child would find
 * closed for ever. */
bool darc_apart_suits(const darc_budget *budget);

typedef struct {
    darc_answer *to; /* there; NULL: here */
    char *at;        /* here: where the next item begins */
} darc_carrier;

/* Carry the n bytes that *p points to; here let *p point to them. */
void darc_carry(darc_carrier *c, void *p, size_t n);

/* The same for a string, or NULL. */
void darc_carry_text(darc_carrier *c, const char *const *s);

/* The same for the list of n strings that *list points to. */
void darc_carry_texts(darc_carrier *c, const char *const **list, int n);
