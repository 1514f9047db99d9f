/* All kernels that predictions are tried on, in one module. */
#include "kernels.cl"
#include "newcomers.cl"
#include "textbook.cl"
