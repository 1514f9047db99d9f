// The same as own-launch.c in C++: work-groups of a kernel are held against each other.
//     c++ own-launch.cpp $(pkg-config --cflags --libs vebench-measure level-zero) -o own-launch
//     ./own-launch saxpy.spv
//
// A SYCL program has these handles, too:
//     sycl::get_native<sycl::backend::ext_oneapi_level_zero>(queue.get_context()), of its device,
//     of its queue (where that is no immediate list), and of a kernel out of a kernel bundle.
#include <vebench/measure.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

constexpr std::uint32_t items = 65536;

void check(ze_result_t result, const char *what)
{
    if (result != ZE_RESULT_SUCCESS)
        throw std::runtime_error(std::string(what) + " failed");
}

class Program
{
  public:
    explicit Program(const std::vector<char> &spirv)
    {
        ze_driver_handle_t driver;
        ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
        ze_command_queue_desc_t queue_desc{};
        std::uint32_t one = 1;

        queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        queue_desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
        check(zeInit(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
        check(zeDriverGet(&one, &driver), "zeDriverGet");
        one = 1;
        check(zeDeviceGet(driver, &one, &device), "zeDeviceGet");
        check(zeContextCreate(driver, &context_desc, &context), "zeContextCreate");
        check(zeCommandQueueCreate(context, device, &queue_desc, &queue), "zeCommandQueueCreate");

        ze_module_desc_t module_desc{};
        ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "saxpy"};
        ze_module_handle_t module;
        module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
        module_desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
        module_desc.inputSize = spirv.size();
        module_desc.pInputModule = reinterpret_cast<const std::uint8_t *>(spirv.data());
        check(zeModuleCreate(context, device, &module_desc, &module, nullptr), "zeModuleCreate");
        check(zeKernelCreate(module, &kernel_desc, &kernel), "zeKernelCreate");
        setArguments();
    }

    vebench_meter_of handles() const
    {
        return {context, device, queue, 0, 0};
    }

    ze_kernel_handle_t kernel = nullptr;

  private:
    void setArguments()
    {
        ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
        std::array<void *, 2> memory{};
        float a = 3.0f;

        check(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a), "zeKernelSetArgumentValue");
        for (std::uint32_t i = 0; i < memory.size(); i++) {
            check(zeMemAllocDevice(context, &desc, items * sizeof(float), 64, device, &memory[i]),
                  "zeMemAllocDevice");
            check(zeKernelSetArgumentValue(kernel, i + 1, sizeof(void *), &memory[i]),
                  "zeKernelSetArgumentValue");
        }
    }

    ze_context_handle_t context = nullptr;
    ze_device_handle_t device = nullptr;
    ze_command_queue_handle_t queue = nullptr;
};

using Meter = std::unique_ptr<vebench_meter, decltype(&vebench_meter_close)>;

Meter openMeter(const Program &program)
{
    std::array<char, 512> error{};
    const vebench_meter_of of = program.handles();
    vebench_meter *meter = nullptr;

    if (vebench_meter_open(&meter, &of, error.data(), error.size()) != 0)
        throw std::runtime_error(error.data());
    return {meter, vebench_meter_close};
}

void measure(const Program &program, const Meter &meter, std::uint32_t local)
{
    std::array<char, 512> error{};
    vebench_launch launch{};
    vebench_measured measured;

    launch.kernel = program.kernel;
    launch.local[0] = local;
    launch.groups[0] = items / local;
    if (vebench_meter_measure(meter.get(), &launch, nullptr, &measured, error.data(),
                              error.size()) != 0)
        throw std::runtime_error(error.data());
    std::printf("work-groups of %u: %.1f us, 95 %% interval %.1f to %.1f%s\n", local,
                measured.ns / 1e3, measured.ci95_low_ns / 1e3, measured.ci95_high_ns / 1e3,
                measured.is_reliable ? "" : ", UNRELIABLE");
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc != 2)
        throw std::runtime_error("usage: own-launch MODULE");
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> spirv{std::istreambuf_iterator<char>(file), {}};
    const Program program(spirv);
    const Meter meter = openMeter(program);

    for (std::uint32_t local : {64u, 256u})
        measure(program, meter, local);
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "own-launch: %s\n", error.what());
    return 1;
}
