/* Any bytes as a workbook, as packed text, and as the parts of a workbook, one
 * a '\0': no fuzzer finds sums of its own. */
#include "commands/sheets.h"
#include "read_arrays.h"

#include "base/text.h"

#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put(darc_text_t out, uint32_t x, int bytes)
{
    for (int i = 0; i < bytes; i++)
        darc_text_putc(out, (char)(x >> 8 * i));
}

/* Append a member that is stored, and its entry of the directory. */
static void put_member(darc_text_t zip, darc_text_t directory, const char *name,
                       const uint8_t *s, size_t n)
{
    uint32_t at = (uint32_t)zip->len, length = (uint32_t)strlen(name);
    uint32_t sum = (uint32_t)crc32(0, s, (unsigned)n);
    const uint32_t fields[] = {sum, (uint32_t)n, (uint32_t)n};
    darc_text_write(zip, "PK\3\4\x14\0\0\0\0\0\0\0\0\0", 14);
    darc_text_write(directory, "PK\1\2\x14\0\x14\0\0\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < 3; i++) {
        put(zip, fields[i], 4);
        put(directory, fields[i], 4);
    }
    put(zip, length, 4);
    put(directory, length, 4);
    for (int i = 0; i < 5; i++)
        put(directory, 0, 2);
    put(directory, 0, 0);
    put(directory, at, 4);
    darc_text_puts(zip, name);
    darc_text_puts(directory, name);
    darc_text_write(zip, (const char *)s, n);
}

static void fuzz_parts(const uint8_t *data, size_t size)
{
    static const char *const names[] = {
        "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml",
        "xl/sharedStrings.xml", "xl/a.xml"};
    darc_text_t zip = DARC_TEXT, directory = DARC_TEXT;
    for (int i = 0; i < 5; i++) {
        const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
        size_t n = end != NULL ? (size_t)(end - data) : size;
        put_member(zip, directory, names[i], data, n);
        data += n + (end != NULL);
        size -= n + (end != NULL);
    }
    uint32_t at = (uint32_t)zip->len;
    darc_text_write(zip, directory->s, directory->len);
    darc_text_write(zip, "PK\5\6\0\0\0\0\5\0\5\0", 12);
    put(zip, (uint32_t)directory->len, 4);
    put(zip, at, 4);
    put(zip, 0, 2);
    fuzz_arrays(darc_xlsx_list, (const uint8_t *)zip->s, zip->len, 0);
    darc_text_clear(zip);
    darc_text_clear(directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_arrays(darc_xlsx_list, data, size, 0);
    fuzz_arrays(darc_gz_list, data, size, 0);
    if (size > 0)
        fuzz_parts(data, size);
    return 0;
}
