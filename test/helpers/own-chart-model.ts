import { devEconomy } from '#devchain/known-economy.ts';
import { groupBy } from '#runtime/lists.ts';
import { type ModelBlock, modelHolders, valueAtRank } from './chain-model.ts';
import { burned, fees, getTransfers, modelSwaps, once, type PlacedBucket, part, senders, txs } from './chart-model.ts';
import { getTrades } from './query-model.ts';

const zero = `0x${'0'.repeat(40)}`;

type Model = (bucket: PlacedBucket) => string | null;
export type SubjectModel = (bucket: PlacedBucket, subject: string) => string | null;

const daySeconds = 86_400;
const getDay = (time: number) => Math.floor(time / daySeconds);

const getDays = once((all) => {
  const known = new Map<string, number[]>();
  for (const block of all)
    for (const { from } of block.txs) {
      const days = known.get(from) ?? [];
      if (days.at(-1) !== getDay(block.time)) days.push(getDay(block.time));
      known.set(from, days);
    }
  return known;
});

const recurring =
  (days: number): Model =>
  ({ blocks, before, all, start }) => {
    const older = all.filter(({ time }) => time < start - days * daySeconds).length;
    const known = senders(part(all, older, before.length));
    return String([...senders(blocks)].filter((sender) => known.has(sender)).length);
  };

/** Day 30 after each visit, if the sender did not return by then. */
const judged30Days = once((all) =>
  [...getDays(all).values()].flatMap((active) =>
    active.filter((day, i) => !(active[i + 1]! <= day + 30)).map((day) => day + 30),
  ),
);

const churned30Days = ({ all, start }: PlacedBucket, lastDay: number) =>
  String(judged30Days(all).filter((judged) => judged >= getDay(start) && judged <= lastDay).length);

const retained =
  (days: number): Model =>
  ({ blocks, before, all }) => {
    const known = senders(before);
    const fresh = [...senders(blocks)].filter((sender) => !known.has(sender));
    if (fresh.length === 0) return null;
    const kept = fresh.filter((sender) => {
      const [first, second] = getDays(all).get(sender)!;
      return second !== undefined && second <= first! + days;
    });
    return share(kept.length, fresh.length);
  };

/** Counts values that occur in no earlier block. */
const fresh =
  (read: (blocks: readonly ModelBlock[]) => readonly string[]): Model =>
  ({ until, before }) =>
    String(new Set(read(until)).size - new Set(read(before)).size);

const share = (part: number, whole: number) => decimal((BigInt(part) * 10n ** 6n) / BigInt(whole), 6);

function decimal(scaled: bigint, digits: number): string {
  const text = scaled.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const traded = (blocks: readonly ModelBlock[]) => {
  const swaps = modelSwaps(blocks);
  return { base: sum(swaps.map(({ base }) => base)), quote: sum(swaps.map(({ quote }) => quote)) * 10n ** 12n };
};

/** Supply of the coin: 10 billion, plus 500 million per year of 365.25 days, minus burns. */
const supplyAt = (all: readonly ModelBlock[], time: number) =>
  10n ** 28n + emittedAt(all, time) - burned(all.filter((block) => block.time <= time));

const emittedAt = (all: readonly ModelBlock[], time: number) =>
  (5n * 10n ** 26n * BigInt(Math.max(0, time - all[0]!.time))) / 31_557_600n;

const worth = (wei: bigint, blocks: readonly ModelBlock[]) => {
  const { base, quote } = traded(blocks);
  return base === 0n ? null : decimal((wei * quote) / base, 18);
};

const ofType =
  (type: number): Model =>
  ({ blocks }) =>
    String(txs(blocks).filter((tx) => tx.type === type).length);
const ofStandard =
  (standard: string): Model =>
  ({ blocks }) =>
    String(getTransfers(blocks).filter((transfer) => transfer.standard === standard).length);
const distinct =
  (values: (blocks: readonly ModelBlock[]) => readonly unknown[]): Model =>
  ({ blocks }) =>
    String(new Set(values(blocks)).size);

const perSecond =
  (amount: (blocks: readonly ModelBlock[]) => bigint) =>
  ({ blocks, all, start }: PlacedBucket, next: number) => {
    const seconds = Math.min(next, all.at(-1)!.time) - Math.max(start, all[0]!.time);
    return seconds <= 0 ? null : decimal((amount(blocks) * 10n ** 6n) / BigInt(seconds), 6);
  };

/** Numbers of blocks by producer, largest first. */
const byProducer = (blocks: readonly ModelBlock[]) =>
  [...groupBy(blocks, ({ miner }) => miner).values()].map(({ length }) => length).toSorted((a, b) => b - a);

const averageBaseFee: Model = ({ blocks }) =>
  decimal((sum(blocks.map(({ baseFee }) => baseFee)) * 10n ** 6n) / BigInt(blocks.length), 15);

const feesPaid = (blocks: readonly ModelBlock[]) => txs(blocks).map(({ fee }) => fee);

const worthOfMedianFee: Model = ({ blocks }) => {
  const all = feesPaid(blocks);
  return worth(all.length === 0 ? 0n : valueAtRank([...all], 0.5), blocks);
};
const worthOfAverageFee: Model = ({ blocks }) => {
  const { base, quote } = traded(blocks);
  const divisor = base * BigInt(txs(blocks).length);
  return divisor === 0n ? null : decimal((fees(blocks) * quote) / divisor, 18);
};

const getEnd = (all: readonly ModelBlock[], next: number) => Math.min(next - 1, all.at(-1)!.time);

/** Contracts that emit swaps: all pools of the dev chain. */
const getPools = once((blocks) => [...new Set(modelSwaps(blocks).map(({ pool }) => pool))]);

/** Dollars in the pools at the end of the bucket, from transfers. */
const dollarsIn = (pools: readonly string[], { until }: PlacedBucket) => {
  const own = getTransfers(until).filter(({ token }) => devEconomy().dollars.includes(token));
  const moved = (side: 'from' | 'to') =>
    sum(own.filter((transfer) => pools.includes(transfer[side])).map(({ value }) => value));
  return decimal(moved('to') - moved('from'), 6);
};

export const ownChartModels: Record<string, (bucket: PlacedBucket, next: number) => string | null> = {
  activeRecurringAccounts60Days: recurring(60),
  activeRecurringAccounts90Days: recurring(90),
  activeRecurringAccounts120Days: recurring(120),
  churnedAccounts30Days: (bucket, next) => churned30Days(bucket, getDay(getEnd(bucket.all, next))),
  newAccountsRetention7Days: retained(7),
  newAccountsRetention30Days: retained(30),
  newAccountsRetention90Days: retained(90),
  newBlockRewards: ({ blocks }) => decimal(fees(blocks) - burned(blocks), 18),
  nativeCoinSupply: ({ all }, next) => decimal(supplyAt(all, getEnd(all, next)), 18),
  nativeCoinIssuance: ({ all, start }, next) =>
    decimal(emittedAt(all, getEnd(all, next)) - emittedAt(all, start - 1), 18),
  marketCap: ({ blocks, all }, next) => worth(supplyAt(all, getEnd(all, next)), blocks),
  txnsFeeUsd: ({ blocks }) => worth(fees(blocks), blocks),
  averageTxnFeeUsd: worthOfAverageFee,
  medianTxnFeeUsd: worthOfMedianFee,
  burnedFeesGrowth: ({ until }) => decimal(burned(until), 18),
  averagePriorityFee: ({ blocks }) => {
    const gas = sum(blocks.map(({ gasUsed }) => gasUsed));
    return gas === 0n ? null : decimal((fees(blocks) - burned(blocks)) / gas, 9);
  },
  legacyTxns: ofType(0),
  accessListTxns: ofType(1),
  dynamicFeeTxns: ofType(2),
  blobTxns: ofType(3),
  setCodeTxns: ofType(4),
  token721Transfers: ofStandard('erc721'),
  token1155Transfers: ofStandard('erc1155'),
  activeRecipients: distinct((blocks) =>
    txs(blocks).flatMap(({ to, created, status }) => to ?? (status === 1 && created ? created : [])),
  ),
  activeTokens: distinct((blocks) => getTransfers(blocks).map(({ token }) => token)),
  newTokens: fresh((blocks) => getTransfers(blocks).map(({ token }) => token)),
  newTokenRecipients: fresh((blocks) => getTransfers(blocks).map(({ to }) => to)),
  activeTokenRecipients: distinct((blocks) => getTransfers(blocks).map(({ to }) => to)),
  activeContracts: distinct((blocks) => blocks.flatMap((block) => block.logs.map(({ address }) => address))),
  activeValidators: distinct((blocks) => blocks.map(({ miner }) => miner)),
  averageTps: perSecond((blocks) => BigInt(txs(blocks).length)),
  gasPerSecond: perSecond((blocks) => sum(blocks.map(({ gasUsed }) => gasUsed))),
  averageBaseFee,
  blobs: ({ blocks }) => String(sum(blocks.map(({ blobGas }) => blobGas)) / 131_072n),
  blobFees: ({ blocks }) => decimal(sum(blocks.map(({ burned, baseFee, gasUsed }) => burned - baseFee * gasUsed)), 18),
  nftTrades: ({ blocks }) => String(getTrades(blocks).length),
  nftBuyers: distinct((blocks) => getTrades(blocks).map(({ to }) => to)),
  liquidity: (bucket) => dollarsIn(getPools(bucket.all), bucket),
  largestValidatorShare: ({ blocks }) => share(byProducer(blocks)[0]!, blocks.length),
  validatorsForMajority: ({ blocks }) => {
    const largest = byProducer(blocks);
    let [count, produced] = [0, 0];
    while (2 * produced <= blocks.length) produced += largest[count++]!;
    return String(count);
  },
};

export const stablecoinModels = (dollars: readonly string[]): Record<string, Model> => {
  const own = (blocks: readonly ModelBlock[]) => getTransfers(blocks).filter(({ token }) => dollars.includes(token));
  return {
    stablecoinTransfers: ({ blocks }) => String(own(blocks).length),
    stablecoinVolume: ({ blocks }) => decimal(sum(own(blocks).map(({ value }) => value)), 6),
    stablecoinSupply: ({ until }) =>
      decimal(
        sum(own(until).map(({ from, to, value }) => (from === zero ? value : 0n) - (to === zero ? value : 0n))),
        6,
      ),
  };
};

export const sentModel = (blocks: readonly ModelBlock[], addresses: ReadonlySet<string>) =>
  decimal(
    sum(txs(blocks).flatMap(({ from, status, value }) => (status === 1 && addresses.has(from) ? [value] : []))),
    18,
  );

const received = (blocks: readonly ModelBlock[], isTo: (address: string) => boolean) =>
  sum(
    blocks.flatMap(({ txs }) =>
      txs.filter((tx) => tx.status === 1 && isTo(tx.to ?? tx.created!)).map(({ value }) => value),
    ),
  );

export const receivedModel = (blocks: readonly ModelBlock[], addresses: ReadonlySet<string>) =>
  decimal(
    received(blocks, (address) => addresses.has(address)),
    18,
  );

const transfersOfToken = (blocks: readonly ModelBlock[], token: string) =>
  getTransfers(blocks).filter((transfer) => transfer.token === token);
const isOf = (method: string) => (tx: { readonly to: string | null; readonly input: string }) =>
  tx.to !== null && tx.input.startsWith(method) && tx.input.length >= 10;
const holderCounts = once(() => new Map<string, number>());
const holders = (blocks: readonly ModelBlock[], token: string) => {
  const counts = holderCounts(blocks);
  const count = counts.get(token) ?? modelHolders(getTransfers(blocks), token).size;
  counts.set(token, count);
  return count;
};
const calls = (blocks: readonly ModelBlock[], method: string) =>
  blocks.flatMap(({ txs }) => txs.filter(isOf(method))).length;

export const subjectModels: Record<string, SubjectModel> = {
  validatorBlocks: ({ blocks }, miner) => String(blocks.filter((block) => block.miner === miner).length),
  validatorBlockShare: ({ blocks }, miner) =>
    blocks.length === 0 ? null : share(blocks.filter((block) => block.miner === miner).length, blocks.length),
  methodTransactions: ({ blocks }, method) => String(calls(blocks, method)),
  methodShare: ({ blocks }, method) => {
    const all = blocks.reduce((total, { txs }) => total + txs.length, 0);
    return all === 0 ? null : share(calls(blocks, method), all);
  },
  transfersOfToken: ({ blocks }, token) => String(transfersOfToken(blocks, token).length),
  transfersOfTokenGrowth: ({ until }, token) => String(transfersOfToken(until, token).length),
  newHoldersOfToken: ({ until, before }, token) => String(holders(until, token) - holders(before, token)),
  holdersOfTokenGrowth: ({ until }, token) => String(holders(until, token)),
  liquidityOfPool: (bucket, pool) => dollarsIn([pool], bucket),
  receivedByAddress: ({ blocks }, address) => receivedModel(blocks, new Set([address])),
};

const byCount = (names: readonly string[]) =>
  [...groupBy(names, (name) => name)].toSorted((a, b) => b[1].length - a[1].length).map(([name]) => name);

export const recipients = (blocks: readonly ModelBlock[]) =>
  byCount(blocks.flatMap(({ txs }) => txs.flatMap(({ value, to }) => (value > 0n && to !== null ? [to] : []))));

/** Returns the most and the least frequent subject; for tokens, the most frequent of each standard. */
export function getSubjects(blocks: readonly ModelBlock[], kind: string): string[] {
  const tokens = (standard: string) =>
    byCount(getTransfers(blocks).flatMap((transfer) => (transfer.standard === standard ? [transfer.token] : [])));
  if (kind === 'token') return ['erc20', 'erc721', 'erc1155'].map((standard) => tokens(standard)[0]!);
  const inputs = blocks.flatMap(({ txs }) => txs.map(({ input }) => input));
  const found = {
    validator: () => byCount(blocks.map(({ miner }) => miner)),
    method: () => byCount(inputs.filter((input) => input.length >= 10).map((input) => input.slice(0, 10))),
    address: () => recipients(blocks),
    pool: () => getPools(blocks),
  }[kind]!();
  return [found[0]!, found.at(-1)!];
}
