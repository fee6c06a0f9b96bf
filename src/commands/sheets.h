/* sheets.h - the sheets of an Excel workbook, as text.
 *
 * A sheet that has rows of numbers becomes an array whose values are the bytes
 * of a CSV file, eight a value; line i of it is row i of the sheet.  Cells
 * that are formatted as dates are written as such, errors are left empty.
 */
#pragma once

#include "formats/arrays.h"

darc_arrays_list darc_xlsx_list;

/* The text that gzip has packed, likewise. */
darc_arrays_list darc_gz_list;
