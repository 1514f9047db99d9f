#include "math/moderated-variance.h"

#include <math.h>

/* Smaller ones count as this: rounded times may be equal. */
#define LEAST_VALUE 1e-5

/* From here on the asymptotic series below are exact to 1e-9. */
#define SERIES_FROM 10.0

/* Abramowitz and Stegun 6.3.18, and 6.3.5 to get there. `x` > 0. */
static double digamma(double x)
{
    double sum = 0.0;

    for (; x < SERIES_FROM; x += 1.0)
        sum -= 1.0 / x;
    double square = 1.0 / (x * x);
    return sum + log(x) - 0.5 / x - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0));
}

/* Abramowitz and Stegun 6.4.12 and 6.4.6. */
static double trigamma(double x)
{
    double sum = 0.0;

    for (; x < SERIES_FROM; x += 1.0)
        sum += 1.0 / (x * x);
    double square = 1.0 / (x * x);
    return sum + 1.0 / x + 0.5 * square +
           square / x * (1.0 / 6.0 - square * (1.0 / 30.0 - square / 42.0));
}

/* The x in `least` to `most` whose trigamma is `value`: it falls, so bisection in log x finds it.
 */
static double trigamma_inverse(double value, double least, double most)
{
    for (unsigned step = 0; step < 60; step++) {
        double middle = sqrt(least * most);

        if (trigamma(middle) > value)
            least = middle;
        else
            most = middle;
    }
    return sqrt(least * most);
}

/* The logarithm of a variance less what chance adds to it on average. */
static double level_of(const struct variance *v)
{
    return log(fmax(v->value, LEAST_VALUE)) - digamma(v->degrees / 2.0) + log(v->degrees / 2.0);
}

struct variance variance_prior(const struct variance *variances, size_t count)
{
    double known = 0.0, degrees = 0.0, chance = 0.0, mean = 0.0, squares = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (!(variances[i].degrees > 0.0))
            continue;
        double off = level_of(&variances[i]) - mean;

        known += 1.0;
        mean += off / known; /* Welford 1962 */
        squares += off * (level_of(&variances[i]) - mean);
        degrees += variances[i].degrees;
        chance += trigamma(variances[i].degrees / 2.0);
    }
    if (known < 2.0)
        return (struct variance){1.0, 0.0};
    double excess = squares / (known - 1.0) - chance / known;
    double half = trigamma_inverse(fmax(excess, 0.0), 0.05, degrees / 2.0);
    return (struct variance){exp(mean + digamma(half) - log(half)), 2.0 * half};
}

struct variance variance_moderate(const struct variance *prior, const struct variance *own)
{
    double degrees = prior->degrees + own->degrees;

    return (struct variance){(prior->degrees * prior->value + own->degrees * own->value) / degrees,
                             degrees};
}
