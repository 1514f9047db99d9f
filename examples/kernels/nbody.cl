/* Accelerations of bodies by the gravity of all: position and mass in a float4. */
kernel void nbody(global const float4 *bodies, global float4 *accelerations, uint n)
{
    float4 self = bodies[get_global_id(0)], sum = 0.0f;

    for (uint i = 0; i < n; i++) {
        float4 other = bodies[i], way = other - self;
        float square = fma(way.x, way.x, fma(way.y, way.y, fma(way.z, way.z, 0.01f)));
        float inverse = native_rsqrt(square);

        sum += way * (other.w * inverse * inverse * inverse);
    }
    sum.w = 0.0f;
    accelerations[get_global_id(0)] = sum;
}
