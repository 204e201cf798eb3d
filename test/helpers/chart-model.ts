/** Computes the expected values of every chart from blocks in memory, independently of the program. */
import { Interface } from 'ethers';
import { type ModelBlock, type ModelTransfer, type ModelTx, modelTransfers, valueAtRank } from './chain-model.ts';

interface Bucket {
  readonly blocks: readonly ModelBlock[];
  readonly until: readonly ModelBlock[];
  readonly before: readonly ModelBlock[];
}

type Model = (bucket: Bucket) => string | null;

export interface PlacedBucket extends Bucket {
  readonly all: readonly ModelBlock[];
  /** Start of the bucket, Unix seconds. */
  readonly start: number;
}

const placed = new WeakMap<readonly ModelBlock[], Map<string, PlacedBucket>>();

/** Returns the same object for equal lists of blocks, so that results can be cached. */
export function bucketAt(all: readonly ModelBlock[], resolution: string, start: number): PlacedBucket {
  const known = placed.get(all) ?? new Map<string, PlacedBucket>();
  placed.set(all, known);
  const found = known.get(`${resolution} ${start}`) ?? place(all, resolution, start);
  known.set(`${resolution} ${start}`, found);
  return found;
}

function place(all: readonly ModelBlock[], resolution: string, start: number): PlacedBucket {
  const low = all.filter((block) => block.time < start).length;
  const high = low + all.filter((block) => calendarStart(resolution, block.time) === start).length;
  return { all, start, blocks: part(all, low, high), before: part(all, 0, low), until: part(all, 0, high) };
}

const parts = new WeakMap<readonly ModelBlock[], Map<string, readonly ModelBlock[]>>();
export function part(all: readonly ModelBlock[], low: number, high: number): readonly ModelBlock[] {
  const known = parts.get(all) ?? new Map<string, readonly ModelBlock[]>();
  parts.set(all, known);
  const found = known.get(`${low}-${high}`) ?? all.slice(low, high);
  known.set(`${low}-${high}`, found);
  return found;
}

const zero = `0x${'0'.repeat(40)}`;

/** Caches the result of a computation per list of blocks, because many charts share it. */
export function once<T>(compute: (blocks: readonly ModelBlock[]) => T): (blocks: readonly ModelBlock[]) => T {
  const known = new WeakMap<readonly ModelBlock[], { value: T }>();
  return (blocks) => {
    const found = known.get(blocks) ?? { value: compute(blocks) };
    known.set(blocks, found);
    return found.value;
  };
}

export const txs = once((blocks) => blocks.flatMap((block) => block.txs));
/** Decodes each block once, because many lists share it and decoding is slow. */
function byBlock<T>(decode: (block: ModelBlock) => readonly T[]): (blocks: readonly ModelBlock[]) => T[] {
  const decoded = new WeakMap<ModelBlock, readonly T[]>();
  const getItems = (block: ModelBlock) => {
    const found = decoded.get(block) ?? decode(block);
    decoded.set(block, found);
    return found;
  };
  return once((blocks) => blocks.flatMap(getItems));
}
export const getTransfers = byBlock((block) => modelTransfers([block]));
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const text = (value: number | bigint) => String(value);

function quotient(numerator: bigint, denominator: bigint, digits: number): string | null {
  if (denominator === 0n) return null;
  const scaled = ((numerator * 10n ** BigInt(digits)) / denominator).toString().padStart(digits + 1, '0');
  const [whole, part] = [scaled.slice(0, -digits), scaled.slice(-digits).replace(/0+$/, '')];
  return part === '' ? whole : `${whole}.${part}`;
}
const fat = (wei: bigint) => quotient(wei, 10n ** 18n, 18);
const gwei = (wei: bigint) => quotient(wei, 10n ** 9n, 9);

export const fees = once((blocks) => sum(txs(blocks).map((tx) => tx.fee)));
export const burned = once((blocks) => sum(blocks.map((block) => block.burned)));
const failed = once((blocks) => txs(blocks).filter((tx) => tx.status === 0));
const moved = once((blocks) => txs(blocks).filter((tx) => tx.value > 0n && tx.status === 1));
const created = once((blocks) => txs(blocks).filter((tx) => tx.created !== null && tx.status === 1));
const prices = once((blocks) => txs(blocks).map((tx) => tx.gasPrice));
export const senders = once((blocks) => new Set(txs(blocks).map((tx) => tx.from)));
const builders = once((blocks) => new Set(created(blocks).map((tx) => tx.from)));
const addresses = once(
  (blocks) =>
    new Set([
      ...txs(blocks).flatMap((tx) =>
        [tx.from, tx.to, tx.status === 1 ? tx.created : null].filter((address) => address !== null),
      ),
      ...blocks.flatMap((block) => block.logs.map((log) => log.address)),
    ]),
);
const plainTokens = once((blocks) => getTransfers(blocks).filter(({ standard }) => standard === 'erc20'));
const tokenSenders = once(
  (blocks) =>
    new Set(
      plainTokens(blocks)
        .map((transfer: ModelTransfer) => transfer.from)
        .filter((from) => from !== zero),
    ),
);
const fresh = (who: (blocks: readonly ModelBlock[]) => ReadonlySet<unknown>, { until, before }: Bucket) =>
  text(who(until).size - who(before).size);

function intervals({ blocks, until }: Bucket): bigint[] {
  return blocks.flatMap((block) => {
    const previous = until[block.number - 1];
    return previous ? [BigInt(block.time - previous.time)] : [];
  });
}

const peak = (bucket: Bucket) =>
  bucket.blocks.reduce((best, block) => {
    const previous = bucket.until[block.number - 1];
    const seconds = previous ? Math.max(1, block.time - previous.time) : 1;
    const rate = BigInt(Math.floor((block.txs.length * 1000) / seconds));
    return rate > best ? rate : best;
  }, 0n);

const rank =
  (values: (blocks: readonly ModelBlock[]) => bigint[], q: number, show: (value: bigint) => string | null): Model =>
  ({ blocks }) => {
    const all = values(blocks);
    return all.length === 0 ? null : show(valueAtRank(all, q));
  };
const mean =
  (total: (blocks: readonly ModelBlock[]) => bigint, of: 'blocks' | 'txs', scale: bigint, digits: number): Model =>
  ({ blocks }) =>
    quotient(total(blocks), BigInt(of === 'blocks' ? blocks.length : txs(blocks).length) * scale, digits);
const extreme =
  (pick: (values: readonly bigint[]) => bigint): Model =>
  ({ blocks }) =>
    prices(blocks).length === 0 ? null : gwei(pick(prices(blocks)));
const sorted = (values: readonly bigint[]) => [...values].sort((a, b) => Number(a - b));
const smallest = (values: readonly bigint[]) => sorted(values)[0]!;
const largest = (values: readonly bigint[]) => sorted(values).at(-1)!;
const isCall = (tx: ModelTx) => tx.to !== null && tx.input.length >= 10;
const isPlain = (tx: ModelTx) => tx.to !== null && tx.input === '0x';
const wei = 10n ** 18n;

const swapEvents = new Interface([
  'event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
]);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const whole = (value: unknown) => BigInt(value as bigint);

/** Swaps with the coin in wei and dollars with 6 decimals. WFAT is token0 of both pools. */
export const modelSwaps = byBlock((block) =>
  block.logs.flatMap((log) => {
    const event = swapEvents.parseLog({ topics: [...log.topics], data: log.data });
    if (!event) return [];
    const { args } = event;
    const isV2 = event.fragment.inputs.length === 6;
    const base = isV2 ? whole(args.in0) - whole(args.out0) : whole(args.amount0);
    const quote = isV2 ? whole(args.in1) - whole(args.out1) : whole(args.amount1);
    return [{ pool: log.address, block: block.number, base: absolute(base), quote: absolute(quote) }];
  }),
);
const base = once((blocks) => sum(modelSwaps(blocks).map((swap) => swap.base)));
const quote = once((blocks) => sum(modelSwaps(blocks).map((swap) => swap.quote)));

/** Charts of user operations are 0, because the dev chain has none. */
export const chartModels: Record<string, Model> = {
  newTxns: ({ blocks }) => text(txs(blocks).length),
  txnsGrowth: ({ until }) => text(txs(until).length),
  txnsSuccessRate: ({ blocks }) =>
    quotient(BigInt(txs(blocks).length - failed(blocks).length), BigInt(txs(blocks).length), 6),
  failedTxns: ({ blocks }) => text(failed(blocks).length),
  newNativeCoinTransfers: ({ blocks }) => text(moved(blocks).length),
  nativeValueMoved: ({ blocks }) => fat(sum(moved(blocks).map((tx) => tx.value))),
  nativeValueMedian: rank((blocks) => moved(blocks).map((tx) => tx.value), 0.5, fat),
  nativeValueP99: rank((blocks) => moved(blocks).map((tx) => tx.value), 0.99, fat),
  contractCalls: ({ blocks }) => text(txs(blocks).filter(isCall).length),
  plainTransfers: ({ blocks }) => text(txs(blocks).filter(isPlain).length),
  newEip7702Auths: ({ blocks }) => text(txs(blocks).reduce((total, tx) => total + tx.authorizations, 0)),
  eip7702AuthsGrowth: ({ until }) => text(txs(until).reduce((total, tx) => total + tx.authorizations, 0)),
  peakTps: (bucket) => quotient(peak(bucket), 1000n, 3),
  activeAccounts: ({ blocks }) => text(senders(blocks).size),
  newAccounts: (bucket) => fresh(senders, bucket),
  accountsGrowth: ({ until }) => text(senders(until).size),
  returningAccounts: ({ blocks, before }) =>
    text([...senders(blocks)].filter((sender) => senders(before).has(sender)).length),
  activeAddresses: ({ blocks }) => text(addresses(blocks).size),
  newAddresses: (bucket) => fresh(addresses, bucket),
  addressesGrowth: ({ until }) => text(addresses(until).size),
  newBuilderAccounts: (bucket) => fresh(builders, bucket),
  builderAccountsGrowth: ({ until }) => text(builders(until).size),
  newBlocks: ({ blocks }) => text(blocks.length),
  averageBlockSize: mean((blocks) => sum(blocks.map((block) => BigInt(block.size))), 'blocks', 1n, 3),
  averageBlockTime: (bucket) => quotient(sum(intervals(bucket)), BigInt(intervals(bucket).length), 3),
  blockTimeP95: (bucket) => (intervals(bucket).length === 0 ? null : text(valueAtRank(intervals(bucket), 0.95))),
  blockTimeMax: (bucket) => (intervals(bucket).length === 0 ? null : text(largest(intervals(bucket)))),
  emptyBlockShare: ({ blocks }) =>
    quotient(BigInt(blocks.filter((block) => block.txs.length === 0).length), BigInt(blocks.length), 6),
  averageBlockRewards: mean((blocks) => fees(blocks) - burned(blocks), 'blocks', wei, 18),
  txnsFee: ({ blocks }) => fat(fees(blocks)),
  averageTxnFee: mean(fees, 'txs', wei, 18),
  medianTxnFee: rank((blocks) => txs(blocks).map((tx) => tx.fee), 0.5, fat),
  txnFeeP90: rank((blocks) => txs(blocks).map((tx) => tx.fee), 0.9, fat),
  txnFeeP99: rank((blocks) => txs(blocks).map((tx) => tx.fee), 0.99, fat),
  burnedFees: ({ blocks }) => fat(burned(blocks)),
  averageGasPrice: mean((blocks) => sum(prices(blocks)), 'txs', 10n ** 9n, 9),
  minGasPrice: extreme(smallest),
  maxGasPrice: extreme(largest),
  medianGasPrice: rank(prices, 0.5, gwei),
  gasPriceP90: rank(prices, 0.9, gwei),
  gasPriceP99: rank(prices, 0.99, gwei),
  averageGasLimit: mean((blocks) => sum(blocks.map((block) => block.gasLimit)), 'blocks', 1n, 3),
  averageGasUsed: mean((blocks) => sum(blocks.map((block) => block.gasUsed)), 'blocks', 1n, 3),
  gasUsed: ({ blocks }) => text(sum(blocks.map((block) => block.gasUsed))),
  gasUsedGrowth: ({ until }) => text(sum(until.map((block) => block.gasUsed))),
  networkUtilization: ({ blocks }) =>
    quotient(sum(blocks.map((block) => block.gasUsed)), sum(blocks.map((block) => block.gasLimit)), 6),
  failedGasUsed: ({ blocks }) => text(sum(failed(blocks).map((tx) => tx.gasUsed))),
  failedFees: ({ blocks }) => fat(sum(failed(blocks).map((tx) => tx.fee))),
  tokenTransfers: ({ blocks }) => text(getTransfers(blocks).length),
  tokenTransfersGrowth: ({ until }) => text(getTransfers(until).length),
  token20Transfers: ({ blocks }) => text(plainTokens(blocks).length),
  activeTokenSenders: ({ blocks }) => text(tokenSenders(blocks).size),
  newContracts: ({ blocks }) => text(created(blocks).length),
  contractsGrowth: ({ until }) => text(created(until).length),
  fatPrice: ({ blocks }) => quotient(quote(blocks) * 10n ** 12n, base(blocks), 12),
  fatVolume: ({ blocks }) => fat(base(blocks)),
  fatVolumeUsd: ({ blocks }) => quotient(quote(blocks), 10n ** 6n, 6),
  fatTrades: ({ blocks }) => text(modelSwaps(blocks).length),
  logs: ({ blocks }) => text(blocks.reduce((total, block) => total + block.logs.length, 0)),
};

export function calendarStart(resolution: string, time: number): number {
  const date = new Date(time * 1000);
  const day = Math.floor(time / 86_400);
  if (resolution === '5min') return Math.floor(time / 300) * 300;
  if (resolution === 'hour') return Math.floor(time / 3_600) * 3_600;
  if (resolution === 'week') return (day - ((date.getUTCDay() + 6) % 7)) * 86_400;
  if (resolution === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
  if (resolution === 'year') return Date.UTC(date.getUTCFullYear(), 0, 1) / 1000;
  return day * 86_400;
}
