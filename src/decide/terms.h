/* terms.h - missing terms in words.
 */
#pragma once

#include "decide/evidence.h"
#include "decide/judgement.h"

/* Return a missing term in a sentence, to be released: "the term z^3", "the
 * constant term 1", "a delay or lag of u by about 3 ms", "another origin of z".
 */
char *darc_terms_called(const darc_evidence *s, const darc_missing *m);

/* Say and list all that are significant of those that the user names, else
 * those that explain most; one that looks like a delay is called so. */
void darc_terms_list(darc_judgement *out, const darc_evidence *s);
