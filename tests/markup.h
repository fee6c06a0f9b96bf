/* markup.h - a reader of HTML that is as strict as XML. */
#ifndef DARC_TESTS_MARKUP_H
#define DARC_TESTS_MARKUP_H

/* Assert that the elements of a page nest and that what stands in scripts
 * and styles does not end them. */
void markup_assert_nested(const char *html);

/* Return how often `what` stands in s. */
int markup_count(const char *s, const char *what);

#endif
