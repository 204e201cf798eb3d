import { id } from 'ethers';
import type { ModelBlock } from './chain-model.ts';
import { modelSwaps } from './chart-model.ts';

const fat = 10n ** 18n;

/** Truncates a quotient after `digits` digits. */
export function decimal(numerator: bigint, denominator: bigint, digits: number): string {
  const text = ((numerator * 10n ** BigInt(digits)) / denominator).toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}
export const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
/** Ignores swaps below a cent, and swaps more than a fifth away from the median price. */
export function computeAveragePrice(blocks: readonly ModelBlock[], pools: readonly string[]) {
  const swaps = modelSwaps(blocks).filter(({ pool, quote }) => pools.includes(pool) && quote >= 10_000n);
  const perBlock = new Map<string, { base: bigint; quote: bigint }>();
  for (const { pool, block, base, quote } of swaps) {
    const known = perBlock.get(`${pool} ${block}`) ?? { base: 0n, quote: 0n };
    perBlock.set(`${pool} ${block}`, { base: known.base + base, quote: known.quote + quote });
  }
  const of = ({ base, quote }: { base: bigint; quote: bigint }) => (quote * 10n ** 30n) / base;
  const prices = [...perBlock.values()].map(of).sort((a, b) => (a < b ? -1 : 1));
  const median = prices[Math.floor((prices.length + 1) / 2) - 1]!;
  const near = swaps.filter((swap) => {
    const away = of(swap) > median ? of(swap) - median : median - of(swap);
    return away * 100n <= median * 20n;
  });
  return {
    near,
    left: swaps.length - near.length,
    base: sum(near.map((swap) => swap.base)),
    quote: sum(near.map((swap) => swap.quote)),
  };
}

/** Returns the emission, wei. Divides by the seconds of a year only at the end, to round once. */
export function computeEmission(seconds: number): bigint {
  let [left, wei, rate] = [BigInt(seconds), 0n, 500_000_000n * fat];
  for (const era = 4n * 31_557_600n; left > 0n; left -= era, rate /= 2n) wei += rate * (left < era ? left : era);
  return wei / 31_557_600n;
}

export const getTotal = (blocks: readonly ModelBlock[], address: string, event: string, word = 0) =>
  sum(
    blocks
      .flatMap((block) => block.logs)
      .filter((log) => log.address === address && log.topics[0] === id(event))
      .map((log) => BigInt(`0x${log.data.slice(2 + 64 * word, 66 + 64 * word)}`)),
  );
