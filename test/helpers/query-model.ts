/** Computes the results of statistics queries from blocks in memory, independently of the program. */
import { type ModelBlock, type ModelTransfer, valueAtRank } from './chain-model.ts';
import { calendarStart, getTransfers, once } from './chart-model.ts';
import type { ModelCall } from './internal-traffic.ts';

const zero = `0x${'0'.repeat(40)}`;
/** Key of a failed creation. It has no recipient and does not count as a recipient. */
const noKey = 'none';

interface ModelRow {
  readonly time: number;
  readonly numbers: Readonly<Record<string, bigint>>;
  readonly keys: Readonly<Record<string, string>>;
  readonly topics: readonly string[];
}

/** NFT transfers between two accounts whose recipient pays in the same transaction. */
export const getTrades = once((blocks) => {
  const transfers = getTransfers(blocks);
  const payers = new Map<string, Set<string>>();
  const note = (hash: string, payer: string) => payers.set(hash, (payers.get(hash) ?? new Set()).add(payer));
  for (const { hash, from, value } of blocks.flatMap(({ txs }) => txs)) if (value > 0n) note(hash, from);
  for (const { txHash, standard, from, to, value } of transfers)
    if (standard === 'erc20' && value > 0n && from !== to) note(txHash, from);
  return transfers.filter(
    ({ standard, from, to, txHash }) =>
      standard !== 'erc20' && from !== to && from !== zero && to !== zero && payers.get(txHash)?.has(to),
  );
});

/** Blocks and all their internal calls. */
export interface QueryChain {
  readonly blocks: readonly ModelBlock[];
  readonly calls: readonly ModelCall[];
}

export interface ModelQuery {
  readonly of: string;
  readonly measure: string;
  readonly field?: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly groupBy: readonly string[];
  readonly resolution: string;
}

function getRows(of: string, { blocks, calls }: QueryChain): ModelRow[] {
  if (of === 'internal_creations')
    return callRows(
      blocks,
      calls.filter(({ created }) => created !== ''),
    );
  if (of === 'native_transfers') {
    const paid = getRows('coin_transfers', { blocks, calls }).map((row) => ({
      ...row,
      keys: { ...row.keys, kind: 'transaction' },
    }));
    return [
      ...paid,
      ...callRows(
        blocks,
        calls.filter(({ value }) => value > 0n),
      ),
    ];
  }
  return blocks.flatMap((block) => {
    const { time } = block;
    if (of === 'blocks') return [{ time, numbers: toNumbers(block), keys: { producer: block.miner }, topics: [] }];
    if (of === 'logs')
      return block.logs.map(({ address, topics }) => ({
        time,
        numbers: {},
        keys: { contract: address, topic: topics[0] ?? '0x' },
        topics,
      }));
    if (of === 'nft_trades') return getTrades([block]).map((transfer) => transferRow(time, transfer));
    if (of === 'token_transfers') return getTransfers([block]).map((transfer) => transferRow(time, transfer));
    const rows = block.txs.map((tx) => ({
      time,
      numbers: { value: tx.value, fee: tx.fee, gas_used: tx.gasUsed, gas_price: tx.gasPrice },
      keys: {
        sender: tx.from,
        recipient: tx.to ?? (tx.status === 1 ? (tx.created ?? zero) : noKey),
        creator: tx.from,
        method: tx.to === null ? '0x' : tx.input.slice(0, 10),
        type: String(tx.type),
        status: tx.status === 1 ? 'success' : 'failure',
        created: String(tx.created !== null && tx.status === 1),
      },
      topics: [],
    }));
    if (of === 'contracts') return rows.filter(({ keys }) => keys.created === 'true');
    if (of === 'coin_transfers')
      return rows.filter(({ keys, numbers }) => keys.status === 'success' && numbers.value > 0n);
    return rows;
  });
}

/** Rows of calls that had an effect. */
function callRows(blocks: readonly ModelBlock[], calls: readonly ModelCall[]): ModelRow[] {
  const times = new Map(blocks.map(({ number, time }) => [number, time]));
  return calls
    .filter(({ failed }) => !failed)
    .map(({ block, from, to, created, type, value }) => ({
      time: times.get(block)!,
      numbers: { value },
      keys: { sender: from, recipient: created || to, creator: from, kind: type },
      topics: [],
    }));
}

const toNumbers = (block: ModelBlock): Record<string, bigint> => ({
  gas_used: block.gasUsed,
  gas_limit: block.gasLimit,
  base_fee: block.baseFee,
  fees: block.txs.reduce((sum, { fee }) => sum + fee, 0n),
  burned: block.burned,
  blob_gas: block.blobGas,
  blob_fees: block.burned - block.baseFee * block.gasUsed,
  size: BigInt(block.size),
  transactions: BigInt(block.txs.length),
  logs: BigInt(block.logs.length),
});

const transferRow = (time: number, { from, to, token, standard, value }: ModelTransfer): ModelRow => ({
  time,
  numbers: { value },
  keys: { sender: from, recipient: to, token, standard },
  topics: [],
});

function matches({ keys, numbers, topics }: ModelRow, filters: ModelQuery['filters']): boolean {
  return Object.entries(filters).every(([name, values]) => {
    const has = (value: string | undefined) => value !== undefined && values.includes(value);
    const { sender, recipient } = keys;
    if (name === 'account') return has(sender) || has(recipient);
    if (name === 'counterparty') {
      const own = filters.account!;
      return (own.includes(sender!) && has(recipient)) || (own.includes(recipient!) && has(sender));
    }
    if (name === 'minValue') return numbers.value! >= BigInt(values[0]!);
    if (name === 'maxValue') return numbers.value! <= BigInt(values[0]!);
    if (name.startsWith('topic')) return has(topics[Number(name.slice(5))]);
    return has(keys[name]);
  });
}

function measure({ measure: name, field = '' }: ModelQuery, rows: readonly ModelRow[]): string | null {
  const numbers = rows.map((row) => row.numbers[field] ?? 0n);
  const sum = numbers.reduce((total, number) => total + number, 0n);
  const sorted = [...numbers].sort((a, b) => (a < b ? -1 : 1));
  if (name === 'count' || name === 'new') return String(rows.length);
  if (name === 'distinct')
    return String(new Set(rows.map(({ keys }) => keys[field]).filter((key) => key !== noKey)).size);
  if (name === 'sum') return String(sum);
  if (rows.length === 0) return null;
  if (name === 'average') return quotient(sum, BigInt(rows.length));
  if (name === 'min') return String(sorted[0]);
  if (name === 'max') return String(sorted.at(-1));
  return String(valueAtRank(numbers, Number(name.slice(1)) / 100));
}

function quotient(part: bigint, whole: bigint): string {
  const text = ((part * 1_000_000n) / whole).toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}

/** Keeps the first row of each value of the field. */
function listFirsts(rows: readonly ModelRow[], field: string, groupBy: readonly string[]): ModelRow[] {
  const seen = new Set<string>();
  return rows.filter(({ keys }) => {
    if (keys[field] === noKey) return false;
    const id = [field, ...groupBy].map((name) => keys[name]).join();
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Returns the values by group (its keys joined by a comma), then by start of the time bucket, and as `total`. */
export function modelQuery(query: ModelQuery, chain: QueryChain): Map<string, Map<number | 'total', string | null>> {
  const { of, filters, groupBy, resolution } = query;
  const matching = getRows(of, chain).filter((row) => matches(row, filters));
  const rows = query.measure === 'new' ? listFirsts(matching, query.field!, groupBy) : matching;
  const groups = new Map<string, ModelRow[]>(groupBy.length === 0 ? [['', []]] : []);
  for (const row of rows) {
    const group = groupBy.map((name) => row.keys[name]).join();
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return new Map(
    [...groups].map(([group, own]) => {
      const buckets = new Map<number, ModelRow[]>();
      if (resolution !== 'all')
        for (const row of own) {
          const start = calendarStart(resolution, row.time);
          buckets.set(start, [...(buckets.get(start) ?? []), row]);
        }
      const values = [...buckets].map(([start, part]) => [start, measure(query, part)] as const);
      return [group, new Map<number | 'total', string | null>([...values, ['total', measure(query, own)]])];
    }),
  );
}
