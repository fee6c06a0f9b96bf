#include "tests.h"

#include "formats/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STRETCHES = 3, LONGEST = 700000, MOST = 500000 };

/* The second and the third do not go into memory any more. */
static const size_t size[STRETCHES] = {300000, LONGEST, 300000};

typedef struct {
    darc_bytes_file file; /* bytes owned */
    unsigned char *bytes; /* of all stretches, from the first on */
    darc_stretch at[STRETCHES];
} scene;

/* Return how many bytes they become. */
static size_t deflated(unsigned char *to, const unsigned char *from, size_t n,
                       bool raw)
{
    z_stream z;
    memset(&z, 0, sizeof z);
    ck_assert_int_eq(
        deflateInit2(&z, 1, Z_DEFLATED, raw ? -15 : 15, 8, Z_DEFAULT_STRATEGY),
        Z_OK);
    z.next_in = (unsigned char *)from;
    z.avail_in = (unsigned)n;
    z.next_out = to;
    z.avail_out = (unsigned)n + 1000;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static void open_scene(scene *s, bool raw)
{
    unsigned char *packed = malloc(3 * LONGEST);
    s->bytes = malloc(LONGEST);
    for (size_t i = 0; i < LONGEST; i++)
        s->bytes[i] = (unsigned char)(i % 7 * (i / 1000));
    size_t at = 0;
    for (int k = 0; k < STRETCHES; k++) {
        size_t n = deflated(packed + at, s->bytes, size[k], raw);
        s->at[k] = (darc_stretch){
            .at = at,
            .packed = n,
            .size = size[k],
            .raw = raw,
            .sum = (uint32_t)crc32(0, s->bytes, (unsigned)size[k])};
        at += n;
    }
    s->file = (darc_bytes_file){packed, at, "packed"};
}

static void close_scene(scene *s)
{
    free((void *)s->file.bytes);
    free(s->bytes);
}

static darc_store store_of(const scene *s, uint64_t most)
{
    darc_store store = {.file = s->file, .most = most};
    for (int k = 0; k < STRETCHES; k++)
        ck_assert_int_eq(darc_store_append(&store, s->at[k]), k);
    return store;
}

static void compare(const scene *s)
{
    darc_store store = store_of(s, MOST);
    unsigned char part[5000];
    for (int k = 0; k < STRETCHES; k++) {
        ck_assert_int_eq(darc_store_get(part, 1, &store, k, size[k] - 1, NULL),
                         DARC_OK);
        ck_assert((store.stretch[k].mem != NULL) == (k == 0));
    }
    for (int k = 0; k < STRETCHES; k++)
        for (size_t at = 0; at + sizeof part <= size[k]; at += 99991) {
            ck_assert_int_eq(
                darc_store_get(part, sizeof part, &store, k, at, NULL),
                DARC_OK);
            ck_assert_int_eq(memcmp(part, s->bytes + at, sizeof part), 0);
        }
    ck_assert_int_eq(darc_store_get(part, 2, &store, 2, size[2] - 1, NULL),
                     DARC_DATA);
    darc_store_clear(&store);
}

START_TEST(stretches_come_back_from_memory_and_from_a_file)
{
    for (int raw = 0; raw < 2; raw++) {
        scene s;
        open_scene(&s, raw == 1);
        compare(&s);
        close_scene(&s);
    }
}
END_TEST

START_TEST(the_front_comes_alone)
{
    unsigned char part[2000];
    scene s;
    open_scene(&s, false);
    darc_store store = store_of(&s, MOST);
    ck_assert_int_eq(darc_store_get(part, sizeof part, &store, 1, 0, NULL),
                     DARC_OK);
    ck_assert_int_eq(memcmp(part, s.bytes, sizeof part), 0);
    ck_assert(!store.stretch[1].ready && !store.open);
    darc_store_clear(&store);
    close_scene(&s);
}
END_TEST

static void refuse(const scene *s, darc_stretch x, uint64_t most)
{
    darc_store store = {.file = s->file, .most = most};
    unsigned char last;
    darc_err err;
    darc_err_init(&err);
    darc_store_append(&store, x);
    ck_assert_int_eq(darc_store_get(&last, 1, &store, 0, x.size - 1, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "compressed block"));
    ck_assert(!store.stretch[0].ready && store.stretch[0].mem == NULL);
    darc_store_clear(&store);
}

/* Too many bytes, too few, a lie, a cut and nonsense, in memory and in a
 * file. */
START_TEST(damage_is_told)
{
    scene s;
    open_scene(&s, false);
    for (uint64_t most = 1; most <= MOST; most += MOST - 1) {
        darc_stretch d = s.at[0];
        d.size--;
        refuse(&s, d, most);
        d.size += 2;
        refuse(&s, d, most);
        d.size = d.packed * 2000;
        refuse(&s, d, most);
        d = s.at[0];
        d.packed -= 6;
        refuse(&s, d, most);
        d = s.at[0];
        d.at += 100;
        refuse(&s, d, most);
    }
    close_scene(&s);
}
END_TEST

/* Members of archives are held against their sum. */
START_TEST(another_sum_is_told)
{
    scene s;
    open_scene(&s, true);
    for (uint64_t most = 1; most <= MOST; most += MOST - 1) {
        darc_stretch d = s.at[0];
        d.sum++;
        refuse(&s, d, most);
    }
    close_scene(&s);
}
END_TEST

Suite *suite_store(void)
{
    Suite *s = suite_create("store");
    TCase *c = tcase_create("store");
    tcase_add_test(c, stretches_come_back_from_memory_and_from_a_file);
    tcase_add_test(c, the_front_comes_alone);
    tcase_add_test(c, damage_is_told);
    tcase_add_test(c, another_sum_is_told);
    suite_add_tcase(s, c);
    return s;
}
