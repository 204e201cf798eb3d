import { z } from 'zod';
import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { CoinAtDeps } from '../../read/accounts/coin-at.ts';
import { type CoinChanges, compareChanges, readCoinChanges } from '../../read/accounts/coin-changes.ts';
import { assertTraced } from '../../read/accounts/internal-calls/traced-reader.ts';
import type { BlockWindow } from '../../read/chain/block-window.ts';
import { assertCovered, indexInfo } from '../../read/chain/freshness.ts';
import { selectBlock } from '../../read/chain/select-block.ts';
import type { QueryTurns } from '../../read/query/query-turns.ts';
import type { SnapshotDeps, TimeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, IndexInfo, Wei } from '../../terms/primitives.ts';
import { type ChangesWindow, changesQuery, parseEnds } from '../tokens/balance-changes.ts';
import { csvFile, describeBlock, maxRows, SnapshotBlock, tooManyRows } from '../tokens/token-snapshot.ts';

const Change = z
  .strictObject({
    address: HexAddress,
    change: z.string().meta({ description: 'Received minus sent, wei; fees count as sent' }),
    before: Wei.nullable().meta({
      description: 'Balance after the first block, from a node; null if no node has the state of both blocks',
    }),
    after: Wei.nullable().meta({ description: 'Balance after the last block, from a node' }),
    difference: z.string().nullable().meta({
      description:
        'after − before − change. 0: the movements explain the change. Another number: the chain paid without a transaction, such as rewards of producers, or a movement is missing',
    }),
  })
  .meta({ id: 'CoinChange' });

interface Deps extends CoinAtDeps, TimeDeps, SnapshotDeps {
  readonly queryTurns: QueryTurns;
}

/** Number of gains, and of losses, in a CSV file that are checked at a node. */
const comparedRows = 100;

/** @source docs/questions.md */
export const listCoinChanges = defineRoute({
  id: 'listCoinChanges',
  base: '/api/v1',
  path: '/accounts/changes',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Accounts whose coin balance changed between two finalized blocks',
  description:
    'Adds up all transfers, fees and internal transfers of the blocks, whose traces must be indexed (setting TRACES). The largest changes come first, compared with a node. Fails if a block of the range has validator withdrawals, whose recipients are unknown. CSV: X-Confirmed-By-Node says whether a node confirms the 100 largest gains and losses, and Repr-Digest has the SHA-256 of the file (RFC 9530).',
  params: z.object({}),
  query: z.object(changesQuery),
  response: z
    .strictObject({
      from: SnapshotBlock,
      to: SnapshotBlock,
      counts: z
        .strictObject({ gained: Count, lost: Count })
        .meta({ description: 'Numbers of addresses whose balance rose and fell' }),
      gained: z.array(Change),
      lost: z.array(Change),
      index: IndexInfo,
    })
    .meta({ id: 'CoinChanges' }),
  errors: ['bad_query', 'indexing', 'rate_limited', 'state_unavailable', 'store_unavailable'],
  cost: 10,
  maxAgeSeconds: 1,
  mediaTypes: ['application/json', 'text/csv; charset=utf-8'],
  example: '/accounts/changes?fromBlock=50&toBlock=100&limit=2',
  handle: async (deps: Deps, { query: { limit, format, ...window }, caller, address }) => {
    const read = async (state: ChainState) => {
      const range = await readRange(deps, state, window);
      const changes = await readCoinChanges(deps, state, range, format === 'csv' ? maxRows : limit);
      return { state, range, changes };
    };
    // one request at a time, because it can read all transactions of the chain
    const run = () => deps.snapshots.run(read, { isExpensive: true, isFinal: true });
    const found = await deps.queryTurns.runExpensive({ caller, address }, run);
    return format === 'csv' ? toFile(deps, found) : toReply(deps, found);
  },
});

/** @throws ApiProblem bad_query if the range is empty or not final; indexing if blocks or traces are missing */
async function readRange(deps: Deps, state: ChainState, window: ChangesWindow): Promise<BlockWindow> {
  const newest = finalThrough(state);
  const [first, last] = parseEnds(window);
  const [fromBlock = newest, toBlock = newest] = await Promise.all(
    [first, last].map((end) => selectBlock(deps, state, end)),
  );
  if (toBlock > newest)
    throw new ApiProblem(
      last.time === undefined ? 'bad_query' : 'indexing',
      `the newest finalized block is ${newest}, got ${toBlock}`,
    );
  if (fromBlock > toBlock)
    throw new ApiProblem(
      'bad_query',
      `the range begins after block ${fromBlock} and ends with block ${toBlock}: its blocks must be finalized`,
    );
  if (fromBlock < state.startBlock)
    throw new ApiProblem('bad_query', `the first indexed block is ${state.startBlock}, got ${fromBlock}`);
  assertCovered(deps, state, { from: fromBlock, to: toBlock }, 'changes of balances need all blocks of the range');
  if (fromBlock === toBlock) return { fromBlock, toBlock };
  await assertTraced(
    deps.traced,
    state,
    { from: fromBlock + 1, to: toBlock },
    'changes of balances need the internal transfers of all blocks of the range (TRACES), which are not all indexed',
  );
  return { fromBlock, toBlock };
}

interface Found {
  readonly state: ChainState;
  readonly range: BlockWindow;
  readonly changes: CoinChanges;
}

async function toReply(deps: Deps, { state, range, changes: { gained, lost, counts } }: Found) {
  const compared = await compareChanges(deps, range, [...gained, ...lost]);
  return {
    from: await describeBlock(deps, state, range.fromBlock),
    to: await describeBlock(deps, state, range.toBlock),
    counts,
    gained: compared.slice(0, gained.length),
    lost: compared.slice(gained.length),
    index: indexInfo(deps, state),
  };
}

async function toFile(deps: Deps, { range, changes: { gained, lost, counts } }: Found) {
  const all = counts.gained + counts.lost;
  if (all > maxRows) throw tooManyRows(`${all} changes`);
  const rows = [...gained, ...lost];
  const largest = [...gained.slice(0, comparedRows), ...lost.slice(0, comparedRows)];
  const compared = await compareChanges(deps, range, largest);
  return csvFile(
    ['address', 'change'],
    rows.map(({ address, change }) => [address, change]),
    { name: `changes-coin-${range.fromBlock}-${range.toBlock}`, block: range.toBlock },
    { 'X-Confirmed-By-Node': String(compared.every(({ difference }) => difference === '0')) },
  );
}
