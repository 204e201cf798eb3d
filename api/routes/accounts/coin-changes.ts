import { z } from 'zod';
import { finalThrough } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { CoinAtDeps } from '../../read/accounts/coin-at.ts';
import { type CoinChanges, confirmChanges, readCoinChanges } from '../../read/accounts/coin-changes.ts';
import { assertTraced } from '../../read/accounts/internal-calls/traced-reader.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { assertWindow } from '../../read/chain/paging.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { type BalancesDeps, requireBlock } from '../../read/tokens/balances-at.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, IndexInfo, Wei } from '../../terms/primitives.ts';
import { changesQuery, parseEnds } from '../tokens/balance-changes.ts';
import { describeBlock, fileOf, maxRows, SnapshotBlock, tooManyRows } from '../tokens/token-snapshot.ts';

const Change = z
  .strictObject({
    address: HexAddress,
    change: z.string().meta({ description: 'Received minus sent, wei; fees count as sent' }),
    before: Wei.nullable().meta({
      description: 'Balance after the first block, from a node; null if no node has the state of both blocks',
    }),
    after: Wei.nullable().meta({ description: 'Balance after the last block, from a node' }),
  })
  .meta({ id: 'CoinChange' });

interface Deps extends CoinAtDeps, BalancesDeps, SnapshotDeps {}

/** @source docs/questions.md */
export const listCoinChanges = defineRoute({
  id: 'listCoinChanges',
  base: '/api/v1',
  path: '/accounts/changes',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Accounts whose coin balance changed between two finalized blocks',
  description:
    'Adds up all transfers, fees and internal transfers of the blocks, whose traces must be indexed (setting TRACES). The largest changes come first; a node confirms those of a JSON reply. The CSV file has the SHA-256 of its content in the header Repr-Digest (RFC 9530).',
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
  errors: ['bad_query', 'indexing', 'state_unavailable', 'store_unavailable'],
  cost: 10,
  maxAgeSeconds: 1,
  mediaTypes: ['application/json', 'text/csv; charset=utf-8'],
  example: '/accounts/changes?fromBlock=50&toBlock=100&limit=2',
  handle: (deps: Deps, { query: { limit, format, ...window } }) =>
    deps.snapshots.run(
      async (state) => {
        const [first, last] = parseEnds(window);
        const newest = finalThrough(state);
        const [fromBlock, found] = await Promise.all([
          requireBlock(deps, state, first),
          requireBlock(deps, state, last),
        ]);
        const toBlock = last.time === undefined ? found : Math.min(found, newest);
        if (toBlock > newest)
          throw new ApiProblem('bad_query', `the newest finalized block is ${newest}, got ${toBlock}`);
        assertWindow(fromBlock, toBlock);
        const range = { fromBlock, toBlock };
        await assertTraced(
          deps.traced,
          state,
          { from: fromBlock + 1, to: toBlock },
          'changes of balances need the internal transfers of all blocks of the range (TRACES), which are not all indexed',
        );
        if (format === 'csv') return toFile(range, await readCoinChanges(deps, state, range, maxRows));
        const { gained, lost, counts } = await readCoinChanges(deps, state, range, limit);
        const confirmed = await confirmChanges(deps, range, [...gained, ...lost]);
        return {
          from: await describeBlock(deps, state, fromBlock),
          to: await describeBlock(deps, state, toBlock),
          counts,
          gained: confirmed.slice(0, gained.length),
          lost: confirmed.slice(gained.length),
          index: indexInfo(deps, state),
        };
      },
      { isExpensive: true },
    ),
});

function toFile(
  { fromBlock, toBlock }: { readonly fromBlock: number; readonly toBlock: number },
  { gained, lost, counts }: CoinChanges,
) {
  const all = counts.gained + counts.lost;
  if (all > maxRows) throw tooManyRows(`${all} changes`);
  const rows = [...gained, ...lost].map(({ address, change }) => [address, change]);
  return fileOf(['address', 'change'], rows, `changes-coin-${fromBlock}-${toBlock}`, {
    'X-As-Of-Block': String(toBlock),
  });
}
