from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.meson import MesonPackage
except ImportError:  # before, spack.package has it
    pass


class Vebench(MesonPackage):
    """Measures sub-group sizes, barriers and memory access on Intel GPUs through Level Zero, and
    kernels of its users; models the GPU where there is none."""

    license("MIT")

    # There is no archive: build a checkout, `spack dev-build vebench@main`.
    version("main", branch="main", git="file:///path/to/vebench")

    variant("mpi", default=False, description="measure on many GPUs, vebench run --mpi")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("oneapi-level-zero")
    depends_on("libdrm")
    depends_on("jansson")
    depends_on("libyaml")
    depends_on("nettle@3")
    depends_on("zstd")
    depends_on("netlib-lapack+lapacke")
    depends_on("llvm@14:19+clang", type=("build", "run"))
    depends_on("mpi", when="+mpi")

    # Intel's driver and compiler, llvm-spirv and SPIRV-Tools have no recipe in Spack: they come with
    # the system, llvm-spirv of the same release as llvm.

    def meson_args(self):
        release = self.spec["llvm"].version.up_to(1)
        return [
            "-Dtests=disabled",
            f"-Dllvm_versions={release}",
            "-Dmpi=" + ("enabled" if self.spec.satisfies("+mpi") else "disabled"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.vebench)("list")
