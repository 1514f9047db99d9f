/* Nothing of its own: clang includes its header of OpenCL before this, as before every kernel. */
