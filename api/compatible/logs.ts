/** Numbers in the reply of the action getLogs are hex; zero is 0x0. @source docs/compatible.md */
import { hexDigits, isHash, toQuantity } from '#chain/codec/hex.ts';
import { anyTopics, logPosition, logReader, type TopicFilter } from '../read/chain/log-reader.ts';
import type { EmittedDeps } from '../read/chain/read-emitted.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import { getTopics, type LogRecord } from '../terms/records.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, noRecords } from './action.ts';
import { type ListPageDeps, readInTurn, readListPage } from './list-page.ts';
import { parseBlock, parseOptionalAddress } from './parameters.ts';
import { type PlacedTransaction, type PlacesDeps, transactionsAt } from './places.ts';

const maxRows = 1_000;
/** Maximum blocks for a search of any contract's logs that does not wait for other searches. */
const maxUnqueuedBlocks = 10_000;
const logNames = { from: 'fromblock', to: 'toblock' };

type LogDeps = ListPageDeps & EmittedDeps & PlacesDeps & ReportDeps;

export const getLogs: CompatibleAction<LogDeps> = async (request) => {
  const { parameters } = request;
  const [address, topics] = [parseOptionalAddress(parameters, 'address'), topicFilter(parameters)];
  if (address === undefined && Object.values(topics).every((value) => value === '' || value === 0))
    throw new CompatibleError('Error! Missing address or topic: set at least one of them');
  const isScan = address === undefined && isWide(request);
  return readInTurn(
    request,
    isScan ? 'runReport' : undefined,
    async (page, state) => {
      const rows = await readListPage<LogRecord>(page, state, {
        selection: ['logs', address, topics],
        names: logNames,
        rows: { cap: maxRows },
        place: logPosition,
        read: logReader(page.deps, state, address, topics),
      });
      if (rows.length === 0) throw noRecords();
      const getTransaction = await transactionsAt(page.deps, state, rows);
      return rows.map((row) => logRow(row, getTransaction(row)));
    },
    logNames,
  );
};

/** Returns whether the search covers any contract and so many blocks that it can be slow. */
function isWide({ deps, parameters }: CompatibleRequest<LogDeps>): boolean {
  const { lastHead: head = 0 } = deps.snapshots;
  const heights = { head, finalized: head };
  const from = parseBlock(parameters, logNames.from, { fallback: 0, heights });
  const to = parseBlock(parameters, logNames.to, { fallback: head, heights });
  return Math.min(to, head) - from > maxUnqueuedBlocks;
}

/**
 * Rejects an operator ("and", "or") between non-adjacent topics that differs from those between adjacent topics: the
 * filter would be ambiguous.
 */
function assertOneReading(parameters: ReadonlyMap<string, string>, used: ReadonlyMap<string, string>): void {
  for (const [name, value] of parameters) {
    const [, a, b] = /^topic(\d)_(\d)_opr$/.exec(name) ?? [];
    if (!a || used.has(name) || !parameters.get(`topic${a}`)?.trim() || !parameters.get(`topic${b}`)?.trim()) continue;
    if ([...used.values()].some((operator) => operator !== value.trim().toLowerCase()))
      throw new CompatibleError(
        `Error! ${name} contradicts the operators between adjacent topics: remove it or use the same operator`,
      );
  }
}

function parseOperator(parameters: ReadonlyMap<string, string>, name: string): 'and' | 'or' {
  const operator = parameters.get(name)?.trim().toLowerCase();
  if (operator === 'and' || operator === 'or') return operator;
  throw new CompatibleError(`Error! ${operator ? 'Invalid' : 'Missing'} ${name}: must be "and" or "or"`);
}

function topicFilter(parameters: ReadonlyMap<string, string>): TopicFilter {
  const filter: TopicFilter = { ...anyTopics };
  const used = new Map<string, string>();
  let before: number | undefined;
  for (const i of [0, 1, 2, 3] as const) {
    const topic = parameters.get(`topic${i}`)?.trim();
    if (!topic) continue;
    if (!isHash(topic)) throw new CompatibleError(`Error! Invalid topic${i} format: must be 0x and 64 hex digits`);
    filter[`topics${i}`] = hexDigits(topic);
    if (before !== undefined && i > 0) {
      const name = `topic${before}_${i}_opr`;
      const operator = parseOperator(parameters, name);
      if (operator === 'or') filter[`any${i as 1 | 2 | 3}`] = 1;
      used.set(name, operator);
    }
    before = i;
  }
  assertOneReading(parameters, used);
  return filter;
}

function logRow(row: LogRecord, transaction: PlacedTransaction) {
  const hex = (value: string | number) => toQuantity(BigInt(value));
  return {
    address: row.address,
    topics: getTopics(row),
    data: row.data,
    blockNumber: hex(row.block_number),
    blockHash: transaction.block_hash,
    timeStamp: hex(row.timestamp),
    gasPrice: hex(transaction.gas_price),
    gasUsed: hex(transaction.gas_used),
    logIndex: hex(row.log_index),
    transactionHash: row.tx_hash,
    transactionIndex: hex(row.tx_index),
  };
}
