#include "base/sha256.h"

#include "base/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* And of the square roots of the first 8. */
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                  0xa54ff53a, 0x510e527f, 0x9b05688c,
                                  0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* The message schedule W_0 .. W_63 [FIPS180, 6.2.2]. */
static void schedule(uint32_t w[64], const unsigned char *p)
{
    for (int t = 0; t < 16; t++, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
               (uint32_t)p[2] << 8 | p[3];
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        uint32_t s0 = rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
        uint32_t s1 = rotate(y, 17) ^ rotate(y, 19) ^ y >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void compress(uint32_t h[8], const unsigned char *block)
{
    uint32_t w[64], v[8]; /* v[(k - t) mod 8]: a .. h of the standard */
    schedule(w, block);
    memcpy(v, h, sizeof v);
#define V(k) v[((k)-t) & 7]
    for (int r = 0; r < 64; r += 8)
        for (int t = 0; t < 8; t++) { /* which gcc unrolls */
            uint32_t a = V(0), e = V(4);
            uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
            uint32_t choice = V(6) ^ (e & (V(5) ^ V(6)));
            uint32_t t1 = V(7) + s1 + choice + constant[r + t] + w[r + t];
            uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
            uint32_t most = (a & V(1)) ^ (a & V(2)) ^ (V(1) & V(2));
            V(3) += t1;
            V(7) = t1 + s0 + most; /* a of the next round */
        }
#undef V
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

void darc_sha256_init(darc_sha256 *s)
{
    memcpy(s->h, start, sizeof start);
    s->length = 0;
}

void darc_sha256_update(darc_sha256 *s, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t part; n > 0; p += part, n -= part) {
        size_t used = s->length % sizeof s->block;
        part = sizeof s->block - used < n ? sizeof s->block - used : n;
        memcpy(s->block + used, p, part);
        s->length += part;
        if (used + part == sizeof s->block)
            compress(s->h, s->block);
    }
}

void darc_sha256_final(darc_sha256 *s, unsigned char digest[DARC_SHA256_BYTES])
{
    uint64_t bits = s->length * 8;
    unsigned char tail[8];
    for (int i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    darc_sha256_update(s, "\x80", 1);
    while (s->length % sizeof s->block != sizeof s->block - sizeof tail)
        darc_sha256_update(s, "", 1);
    darc_sha256_update(s, tail, sizeof tail);
    for (int i = 0; i < DARC_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void darc_sha256_hex(darc_sha256 *s, char hex[DARC_SHA256_HEX])
{
    unsigned char digest[DARC_SHA256_BYTES];
    darc_sha256_final(s, digest);
    for (int i = 0; i < DARC_SHA256_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static darc_status cannot_read(const char *file, const char *why, darc_err *err)
{
    return darc_fail(err, DARC_IO, "%s: error: cannot be read: %s", file, why);
}

darc_status darc_sha256_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err)
{
    enum { BUFFER = 1 << 16 };
    struct stat st;
    if (stat(file, &st) != 0)
        return cannot_read(file, strerror(errno), err);
    if (!S_ISREG(st.st_mode))
        return cannot_read(file, "no regular file", err);
    FILE *f = fopen(file, "rb");
    if (f == NULL && errno == ENOMEM)
        darc_mem_lack(sizeof *f);
    if (f == NULL)
        return cannot_read(file, strerror(errno), err);
    darc_sha256 s;
    darc_sha256_init(&s);
    unsigned char buffer[BUFFER];
    for (size_t n; (n = fread(buffer, 1, BUFFER, f)) > 0;)
        darc_sha256_update(&s, buffer, n);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed)
        return cannot_read(file, "read error", err);
    darc_sha256_hex(&s, hex);
    return DARC_OK;
}
