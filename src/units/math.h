#pragma once

/// The elementary functions of the core, with the same bits on every platform.
///
/// libm's exp, log, pow, erf and lgamma differ between glibc and wasm's musl in the last bit for a
/// few arguments in ten thousand, which is enough to make two faces print different digits. These
/// use only IEEE additions, multiplications and divisions (compiled with `-ffp-contract=off`) and
/// sqrt, floor, ldexp, frexp, which are exact everywhere.
///
/// Accuracy: exp, log within 2 ulp; pow relative error below 1e-13; erf, lgamma absolute or
/// relative error below 1e-13 over the ranges used (tested against high-precision tables).
namespace kvseats::units {

/// e^x; 0 below about -745, infinity above about 709.78.
[[nodiscard]] double exp(double x);
/// Natural logarithm; x > 0 (0 gives -infinity, negative gives NaN).
[[nodiscard]] double log(double x);
[[nodiscard]] double log2(double x);
[[nodiscard]] double log10(double x);
/// x^y for x ≥ 0.
[[nodiscard]] double pow(double x, double y);
/// Error function, odd, in [-1, 1].
[[nodiscard]] double erf(double x);
/// log Γ(x) for x > 0.
[[nodiscard]] double lgamma(double x);

}  // namespace kvseats::units
