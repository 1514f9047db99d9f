#include "ze/conditions.h"

#include "ze/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DOMAINS_MAX 8u

static enum ecc read_ecc(const struct session *session)
{
    zes_device_ecc_properties_t state = {.stype = ZES_STRUCTURE_TYPE_DEVICE_ECC_PROPERTIES};

    if (!session->ze.zesDeviceGetEccState ||
        session->ze.zesDeviceGetEccState(session->sysman, &state) != ZE_RESULT_SUCCESS)
        return ECC_UNKNOWN;
    return state.currentState == ZES_DEVICE_ECC_STATE_ENABLED    ? ECC_ON
           : state.currentState == ZES_DEVICE_ECC_STATE_DISABLED ? ECC_OFF
                                                                 : ECC_UNKNOWN;
}

static double limit_of(const struct session *session, zes_pwr_handle_t domain)
{
    zes_power_sustained_limit_t sustained = {.enabled = false};

    if (session->ze.zesPowerGetLimits(domain, &sustained, NULL, NULL) != ZE_RESULT_SUCCESS ||
        !sustained.enabled || sustained.power <= 0)
        return 0.0;
    return sustained.power / 1000.0;
}

/* Of the card: a tile has no limit of its own that matters more. */
static double read_power_limit(const struct session *session)
{
    zes_pwr_handle_t domains[DOMAINS_MAX];
    uint32_t count = DOMAINS_MAX;

    if (!session->ze.zesDeviceEnumPowerDomains || !session->ze.zesPowerGetProperties ||
        !session->ze.zesPowerGetLimits ||
        session->ze.zesDeviceEnumPowerDomains(session->sysman, &count, domains) !=
            ZE_RESULT_SUCCESS)
        return 0.0;
    for (uint32_t i = 0; i < count && i < DOMAINS_MAX; i++) {
        zes_power_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_POWER_PROPERTIES};

        if (session->ze.zesPowerGetProperties(domains[i], &properties) == ZE_RESULT_SUCCESS &&
            !properties.onSubdevice && limit_of(session, domains[i]) > 0.0)
            return limit_of(session, domains[i]);
    }
    return 0.0;
}

void conditions_read(struct conditions *conditions, const struct session *session)
{
    /* A model has neither. */
    if (!session->sysman || session->is_deterministic)
        return;
    conditions->ecc = read_ecc(session);
    conditions->power_limit_w = read_power_limit(session);
}

void conditions_throttle_text(uint32_t reasons, const char *separator, char *text, size_t bytes)
{
    static const char *const names[] = {"average power", "burst power", "current", "heat",
                                        "power supply",  "software",    "hardware"};
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && used < bytes; i++) {
        if (reasons & 1u << i)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? separator : "",
                                     names[i]);
    }
}

struct text {
    char *at;
    size_t used, bytes;
};

__attribute__((format(printf, 2, 3))) static void add_condition(struct text *text,
                                                                const char *format, ...)
{
    va_list arguments;

    if (text->used + 1 >= text->bytes)
        return;
    if (text->used > 0)
        text->at[text->used++] = ' ';
    va_start(arguments, format);
    int length = vsnprintf(text->at + text->used, text->bytes - text->used, format, arguments);
    va_end(arguments);
    text->used += length > 0 ? (size_t)length : 0;
}

void conditions_text(const struct conditions *conditions, const struct surroundings *surroundings,
                     const struct device *device, char *text, size_t bytes)
{
    struct text out = {text, 0, bytes};
    char reasons[100];

    if (bytes > 0)
        text[0] = '\0';
    if (device->is_tile && device->tile == TILE_UNKNOWN)
        add_condition(&out, "tile=unknown");
    else if (device->is_tile)
        add_condition(&out, "tile=%u", (unsigned)device->tile);
    else if (device->tile_count > 1)
        add_condition(&out, "implicit_scaling=%u", (unsigned)device->tile_count);
    if (conditions->engine_count > 0)
        add_condition(&out, "engine_group=%u/%u", (unsigned)conditions->engine_group,
                      (unsigned)conditions->engine_count);
    if (conditions->ecc != ECC_UNKNOWN)
        add_condition(&out, "ecc=%s", conditions->ecc == ECC_ON ? "on" : "off");
    if (conditions->power_limit_w > 0.0)
        add_condition(&out, "power_limit=%.0fW", conditions->power_limit_w);
    conditions_throttle_text(surroundings->throttle_reasons, ",", reasons, sizeof(reasons));
    for (char *at = reasons; (at = strchr(at, ' '));)
        *at = '_';
    if (reasons[0])
        add_condition(&out, "throttled=%s", reasons);
    if (surroundings->client_count > 0)
        add_condition(&out, "clients=%u client_busy=%.0f%%", (unsigned)surroundings->client_count,
                      100.0 * surroundings->client_busy);
}
