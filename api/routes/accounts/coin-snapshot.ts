import { z } from 'zod';
import { pause } from '#runtime/shutdown.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import {
  type CoinBalancesDeps,
  confirmedRows,
  isConfirmedByNode,
  readCoinBalancesAt,
  requireCoinBlock,
} from '../../read/accounts/coin-balances-at.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { assertFinalRowsKept, makeKeyedPage } from '../../read/chain/paging.ts';
import type { BlockOrTime } from '../../read/chain/select-block.ts';
import type { QueryCaller, QueryTurns } from '../../read/query/query-turns.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import type { HolderAfter } from '../../read/tokens/balances-at.ts';
import { type CursorKey, type Cursors, damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { BlockNumber, Count, HexAddress, IndexInfo, Wei } from '../../terms/primitives.ts';
import {
  balancesPage,
  describeBlock,
  maxRows,
  parseHolder,
  SnapshotBlock,
  SnapshotTime,
  toHoldersCsv,
} from '../tokens/token-snapshot.ts';

export interface CoinSnapshotDeps extends CoinBalancesDeps, SnapshotDeps {
  readonly cursors: Cursors;
  readonly queryTurns: QueryTurns;
}

export const coinBlockQuery = {
  block: BlockNumber.optional().meta({
    description:
      'Finalized block; the balances include its transactions (default: the newest block with known balances)',
  }),
  time: SnapshotTime,
};

/** Reply fields that describe a snapshot. */
export const coinSnapshotFields = {
  block: SnapshotBlock,
  accounts: Count.meta({ description: 'Number of accounts with a balance' }),
  held: Wei.meta({ description: 'Sum of all balances, wei' }),
};

const tries = 5;
const retryMs = 300;

/** @source docs/questions.md */
export const getCoinSnapshot = defineRoute({
  id: 'getCoinSnapshot',
  base: '/api/v1',
  path: '/accounts/snapshot',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Coin balances of all accounts as of a finalized block',
  description: `Computed from balances that a node returned, and from the transfers and fees since. Internal transfers of all blocks must be indexed (setting TRACES). Contains only accounts that the index knows. The balances on a page (CSV: the ${confirmedRows} highest), and those of the ${confirmedRows} accounts that produced the most later blocks, are compared with a node. CSV returns all accounts (at most ${maxRows}), and the SHA-256 digest of the file in the header Repr-Digest (RFC 9530).`,
  params: z.object({}),
  query: z.object({
    ...coinBlockQuery,
    ...balancesPage,
  }),
  response: z
    .strictObject({
      ...coinSnapshotFields,
      items: z.array(z.strictObject({ address: HexAddress, balance: Wei }).meta({ id: 'CoinBalance' })),
      confirmedByNode: z.boolean().meta({
        description:
          'true: a node returned the same balances for this page and for block producers; false: no node has the state of the block, so rewards that the chain pays without a transaction can be missing',
      }),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
      index: IndexInfo,
    })
    .meta({ id: 'CoinSnapshot' }),
  errors: [
    'bad_query',
    'invalid_cursor',
    'snapshot_invalidated',
    'indexing',
    'rate_limited',
    'state_unavailable',
    'store_unavailable',
  ],
  cost: 10,
  maxAgeSeconds: 1,
  mediaTypes: ['application/json', 'text/csv; charset=utf-8'],
  example: '/accounts/snapshot?limit=2',
  handle: async (deps: CoinSnapshotDeps, { query: { limit, cursor, format, ...at }, caller, address }) => {
    const filter = deps.cursors(['coin snapshot', at]);
    const after = cursor === undefined ? undefined : parseMark(decodeCursor(filter, cursor).key);
    const rowLimit = format === 'csv' ? maxRows + 1 : limit + 1;
    const asked = { after, limit: rowLimit, isWhole: format === 'csv' };
    const { state, block, found } = await readCoinBalances(deps, { caller, address }, at, asked);
    if (format === 'csv') {
      const isConfirmed = await isConfirmedByNode(deps, block, found);
      return toHoldersCsv(found, 'coin', block, { 'X-Confirmed-By-Node': String(isConfirmed) });
    }
    const { page, ...more } = makeKeyedPage(found.rows, filter, limit, ({ balance, address }) => [
      ...[block, balance, address, after?.reorgGeneration ?? state.reorgGeneration],
    ]);
    return {
      block: await describeBlock(deps, state, block),
      accounts: found.holders,
      held: found.held,
      items: page,
      confirmedByNode: await isConfirmedByNode(deps, block, { rows: page, producers: found.producers }),
      ...more,
      index: genesisIndexInfo(deps, state),
    };
  },
});

/** Reads all balances, one request at a time. Reads again if stored balances are newer than the snapshot. */
export function readCoinBalances(deps: CoinSnapshotDeps, from: QueryCaller, at: BlockOrTime, page: Page) {
  // reads all accounts and the coin movements of a million transactions
  return deps.queryTurns.runExpensive(from, () => readBalances(deps, at, page));
}

async function readBalances(deps: CoinSnapshotDeps, at: BlockOrTime, { after, limit, isWhole }: Page) {
  const read = async (state: ChainState) => {
    if (after?.reorgGeneration !== undefined) assertFinalRowsKept(state, after.block, after.reorgGeneration);
    const block = await requireCoinBlock(deps, state, after ? { block: after.block } : at);
    return {
      state,
      block,
      found: await readCoinBalancesAt(deps, state, block, { after: isWhole ? undefined : after, limit }),
    };
  };
  for (let attempt = 0; attempt < tries; attempt++) {
    const { found, ...rest } = await deps.snapshots.run(read, { isExpensive: true, isFinal: true });
    if (found) return { ...rest, found };
    await pause(retryMs);
  }
  throw new ApiProblem('store_unavailable', 'balances are being updated: try again');
}

interface Mark extends HolderAfter {
  readonly block: number;
  /** At the first page; unset in cursors of earlier versions. */
  readonly reorgGeneration: number | undefined;
}

interface Page {
  readonly after?: Mark | undefined;
  readonly limit: number;
  /** Begin with the highest balance; `after` gives only the block. */
  readonly isWhole?: boolean;
}

function parseMark([block, balance, address, reorgGeneration]: CursorKey): Mark {
  if (typeof block !== 'number' || typeof reorgGeneration === 'string') throw damaged();
  return { block, reorgGeneration, ...parseHolder(balance, address) };
}
