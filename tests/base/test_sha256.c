/* Vectors of FIPS 180-4 and of NIST's examples. */
#include "base/sha256.h"

#include "program.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

static void expect(darc_sha256 *s, const char *hex)
{
    unsigned char digest[DARC_SHA256_BYTES];
    char text[DARC_SHA256_HEX];
    darc_sha256_final(s, digest);
    for (int i = 0; i < DARC_SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    ck_assert_str_eq(text, hex);
}

static const char abc[] =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char two_blocks[] =
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
static const char of_two_blocks[] =
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

START_TEST(published_vectors)
{
    darc_sha256 s;
    darc_sha256_init(&s);
    expect(&s,
           "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    darc_sha256_init(&s);
    darc_sha256_update(&s, "abc", 3);
    expect(&s, abc);
    darc_sha256_init(&s);
    darc_sha256_update(&s, two_blocks, strlen(two_blocks));
    expect(&s, of_two_blocks);
    char a[1000];
    memset(a, 'a', sizeof a);
    darc_sha256_init(&s);
    for (int i = 0; i < 1000; i++)
        darc_sha256_update(&s, a, sizeof a);
    expect(&s,
           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

/* However the bytes are cut, the digest is the same. */
START_TEST(pieces_do_not_matter)
{
    for (size_t piece = 1; piece <= strlen(two_blocks); piece++) {
        darc_sha256 s;
        darc_sha256_init(&s);
        for (size_t at = 0; at < strlen(two_blocks); at += piece) {
            size_t rest = strlen(two_blocks) - at;
            darc_sha256_update(&s, two_blocks + at,
                               rest < piece ? rest : piece);
        }
        expect(&s, of_two_blocks);
    }
}
END_TEST

START_TEST(files)
{
    char name[512], hex[DARC_SHA256_HEX];
    snprintf(name, sizeof name, "%s/abc", program_directory());
    FILE *f = fopen(name, "wb");
    ck_assert_ptr_nonnull(f);
    fputs("abc", f);
    fclose(f);
    ck_assert_int_eq(darc_sha256_file(hex, name, NULL), DARC_OK);
    ck_assert_str_eq(hex, abc);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_sha256_file(hex, program_directory(), &err), DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "no regular file"));
    darc_err_init(&err);
    ck_assert_int_eq(darc_sha256_file(hex, "absent", &err), DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "absent: error: cannot be read"));
}
END_TEST

Suite *suite_sha256(void)
{
    Suite *s = suite_create("sha256");
    TCase *t = tcase_create("sha256");
    tcase_add_test(t, published_vectors);
    tcase_add_test(t, pieces_do_not_matter);
    tcase_add_test(t, files);
    suite_add_tcase(s, t);
    return s;
}
