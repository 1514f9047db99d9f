"""Arrays, reductions, images and kernels of one's own through PyOpenCL, against NumPy."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(1)
a = random.random(5000, dtype=np.float32)
b = random.random(5000, dtype=np.float32)
i = random.integers(0, 1000, 5000, dtype=np.int32)
on_a, on_b, on_i = (cla.to_device(queue, x) for x in (a, b, i))

np.testing.assert_allclose((on_a * on_b + 2 * on_a).get(), a * b + 2 * a, rtol=1e-6)
np.testing.assert_array_equal((on_i[100:4000] + 7).get(), i[100:4000] + 7)
assert cla.sum(on_i).get() == i.sum()
assert cla.max(on_i).get() == i.max()
np.testing.assert_allclose(cla.dot(on_a, on_b).get(), np.dot(a, b), rtol=1e-4)

saxpy = ElementwiseKernel(context, "float k, float *x, float *y", "y[i] += k * x[i]", "saxpy")
y = on_b.copy()
saxpy(np.float32(3), on_a, y)
np.testing.assert_allclose(y.get(), b + 3 * a, rtol=1e-6)

squares = ReductionKernel(context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i] % 8",
                          arguments="__global const int *x")
assert squares(on_i).get() == (i % 8).sum()

pixels = random.integers(0, 255, (33, 45, 4), dtype=np.uint8)
image = cl.image_from_array(context, pixels, 4)
back = np.empty_like(pixels)
cl.enqueue_copy(queue, back, image, origin=(0, 0), region=(45, 33))
np.testing.assert_array_equal(back, pixels)
print("arrays: right")
