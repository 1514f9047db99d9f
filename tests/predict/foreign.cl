/* All kernels that predictions are tried on, in one module. */
#include "kernels.cl"
#include "textbook.cl"
#include "newcomers.cl"
