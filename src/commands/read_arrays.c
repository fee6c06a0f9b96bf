/* read_arrays.c - the program read-arrays: MAT, NPY, NPZ, MDF, workbooks. */
#include "commands/serve.h"
#include "commands/sheets.h"

int main(int argc, char **argv)
{
    static const darc_format formats[] = {
        {"mat", darc_mat_list, true},  {"npy", darc_npy_list, false},
        {"npz", darc_npz_list, true},  {"modelica", darc_modelica_list, false},
        {"mdf", darc_mdf_list, false}, {"xlsx", darc_xlsx_list, false},
        {"gz", darc_gz_list, false},   {NULL, NULL, false}};
    return darc_serve(argc, argv, formats);
}
