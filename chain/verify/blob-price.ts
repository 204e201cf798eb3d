/** Prices of blob gas. @source EIP-4844 */
export const gasPerBlob = 131_072n;
const minBlobPrice = 1n;
/**
 * Values of BLOB_BASE_FEE_UPDATE_FRACTION, one per fork that changed it.
 * @source EIP-4844, EIP-7691, EIP-7892 (both blob parameter forks)
 */
const blobFractions = [3_338_477n, 5_007_716n, 8_346_193n, 11_684_671n];
/** Maximum exponent of the blob price. e^178 exceeds uint256, and larger exponents take minutes. */
const maxExponent = 178n;

const cachedPrices = new Map<string, readonly bigint[]>();
const maxCached = 1_000;

/** Returns the prices of blob gas that the forks give for the excess blob gas of a block, wei. @param excess hex quantity */
export function blobPrices(excess: string): readonly bigint[] {
  const cached = cachedPrices.get(excess);
  if (cached) return cached;
  const numerator = BigInt(excess);
  const prices = blobFractions
    .filter((fraction) => numerator <= maxExponent * fraction)
    .map((fraction) => fakeExponential(minBlobPrice, numerator, fraction));
  if (cachedPrices.size >= maxCached) cachedPrices.clear();
  cachedPrices.set(excess, prices);
  return prices;
}

function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * numerator) / (denominator * i);
  }
  return output / denominator;
}
