/** Prices of blob gas. @source EIP-4844 */
export const gasPerBlob = 131_072n;
interface BlobRules {
  /** MIN_BASE_FEE_PER_BLOB_GAS, wei. */
  readonly least: bigint;
  /** Values of BLOB_BASE_FEE_UPDATE_FRACTION, one per fork that changed it. */
  readonly fractions: readonly bigint[];
}

/** @source EIP-4844, EIP-7691, EIP-7892 (both blob parameter forks) */
const ofEthereum: BlobRules = { least: 1n, fractions: [3_338_477n, 5_007_716n, 8_346_193n, 11_684_671n] };
/** @source Gnosis Chain specification, Dencun */
const ofGnosis: BlobRules = { least: 1_000_000_000n, fractions: [1_112_826n] };
/** By chain id; other chains have the rules of Ethereum. 10200 is Chiado, the test chain of Gnosis Chain. */
const rulesOfChains: ReadonlyMap<number, BlobRules> = new Map([
  [100, ofGnosis],
  [10_200, ofGnosis],
]);
/** Maximum exponent. e^178 exceeds uint256, and larger exponents take minutes to compute. */
const maxExponent = 178n;

/** Returns the chain id in a block's transactions, hex quantity. Transactions before EIP-155 have none. */
export function findChainId(
  transactions: readonly ({ readonly chainId?: string | null } | null)[],
): string | undefined {
  return transactions.find((tx) => typeof tx?.chainId === 'string')?.chainId ?? undefined;
}

const cachedPrices = new Map<string, readonly bigint[]>();
const maxCached = 1_000;

/**
 * Returns the possible prices of blob gas for a block's excess blob gas, wei: one per fork of the chain.
 * @param excess hex quantity
 * @param chainId hex quantity; unset: rules of Ethereum
 */
export function blobPrices(excess: string, chainId: string | null | undefined): readonly bigint[] {
  const { least, fractions } = rulesOfChains.get(Number(chainId ?? 1)) ?? ofEthereum;
  const key = `${least} ${excess}`;
  const cached = cachedPrices.get(key);
  if (cached) return cached;
  const numerator = BigInt(excess);
  const prices = fractions
    .filter((fraction) => numerator <= maxExponent * fraction)
    .map((fraction) => fakeExponential(least, numerator, fraction));
  if (cachedPrices.size >= maxCached) cachedPrices.clear();
  cachedPrices.set(key, prices);
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
