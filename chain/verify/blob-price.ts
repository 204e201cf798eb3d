/** Prices of blob gas. @source EIP-4844 */
export const gasPerBlob = 131_072n;
/**
 * Values of MIN_BASE_FEE_PER_BLOB_GAS and BLOB_BASE_FEE_UPDATE_FRACTION, one pair per fork that changed them.
 * @source EIP-4844, EIP-7691, EIP-7892 (both blob parameter forks); Gnosis Chain specification, Dencun
 */
const blobRules = [
  [1n, 3_338_477n],
  [1n, 5_007_716n],
  [1n, 8_346_193n],
  [1n, 11_684_671n],
  [1_000_000_000n, 1_112_826n],
] as const;
/** Maximum exponent of the blob price. e^178 exceeds uint256, and larger exponents take minutes. */
const maxExponent = 178n;

const cachedPrices = new Map<string, readonly bigint[]>();
const maxCached = 1_000;

/** Returns the prices of blob gas that the forks give for the excess blob gas of a block, wei. @param excess hex quantity */
export function blobPrices(excess: string): readonly bigint[] {
  const cached = cachedPrices.get(excess);
  if (cached) return cached;
  const numerator = BigInt(excess);
  const prices = blobRules
    .filter(([, fraction]) => numerator <= maxExponent * fraction)
    .map(([least, fraction]) => fakeExponential(least, numerator, fraction));
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
