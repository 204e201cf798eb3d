import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { dollarParameters } from '#semantic/search-scope.ts';
import { toShape } from '#semantic/shape-rows.ts';
import { knotsJob, readMark } from '#sql/job-marks.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { absentTransaction } from '../../read/chain/absent-transaction.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { TransactionReader } from '../../read/chain/transaction-reader.ts';
import { readDollarPrices } from '../../read/market/dollar-prices.ts';
import type { PriceDeps } from '../../read/market/price.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { IndexInfo } from '../../terms/primitives.ts';
import { Knot, toKnot } from './knot.ts';

const KnotId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}:(tx|\d{1,9})(\.\d{1,5})?$/, 'must be an event id: <txHash>:<logIndex> or <txHash>:tx')
  .transform((text) => {
    const [hash, suffix] = text.toLowerCase().split(':') as [string, string];
    const [log, part = '0'] = suffix.split('.');
    return { hash, logIndex: log === 'tx' ? -1 : Number(log), part: Number(part) };
  })
  .meta({
    description: 'Id of the knot (event): <txHash>:<logIndex> for a log, <txHash>:tx for the transaction itself',
    example: `0x${'0'.repeat(64)}:tx`,
  });

interface KnotDeps extends StoreDeps {
  readonly transactions: TransactionReader;
}

/** @source docs/semantic.md */
export const getKnot = defineRoute({
  id: 'getKnot',
  base: '/v1',
  path: '/knots/:knotId',
  methods: ['get'],
  tag: 'semantic',
  summary: 'One knot (event)',
  description:
    'Returns the event once for each of your linked wallets that took part in the event. Operators get the event for all wallets.',
  params: z.object({ knotId: KnotId }),
  query: z.object({}),
  response: z.strictObject({ items: z.array(Knot), index: IndexInfo }),
  errors: ['bad_query', 'unauthorized', 'invalid_api_key', 'key_revoked', 'not_found', 'indexing', 'store_unavailable'],
  access: 'credential',
  maxAgeSeconds: 0,
  example: '/knots/{transaction}:tx',
  handle: async (deps: KnotDeps & CoverageDeps & SnapshotDeps & PriceDeps, { params: { knotId }, identity }) => {
    const dollarPrices = await readDollarPrices(deps);
    return deps.snapshots.run(async (state) => {
      const transaction = await deps.transactions.find(state, knotId.hash);
      if (!transaction) throw await absentTransaction(deps, state, knotId.hash);
      const { database } = deps;
      const records = await database.readBinary('knots_of_event', {
        tx_hash: hexDigits(knotId.hash),
        log_index: knotId.logIndex,
        part: knotId.part,
        time: transaction.timestamp,
        through_block: state.head,
        wallets: identity.wallets.map(hexDigits),
        is_any: identity.isOperator ? 1 : 0,
        ...dollarParameters(dollarPrices),
      });
      if (records.length === 0) throw await explainMissing(deps, state, Number(transaction.block_number), knotId.hash);
      const ids = records.map(({ shape_id }) => BigInt(shape_id));
      const shapes = await database.read('shapes_by_id', { ids });
      const byId = new Map(shapes.map((row) => [row.shape_id, toShape(row)]));
      const items = records.map((record) => toKnot(record, known(byId.get(record.shape_id), 'shape of a knot')));
      return { items, index: indexInfo(deps, state) };
    });
  },
});

/** The error does not reveal whether the event belongs to another user's wallet. */
async function explainMissing(deps: StoreDeps, state: ChainState, block: number, hash: string): Promise<ApiProblem> {
  if (block <= state.finalized && block > (await readMark(deps, knotsJob)))
    return new ApiProblem('indexing', `the events of block ${block} are being derived: try again`);
  return new ApiProblem(
    'not_found',
    `none of your linked wallets took part in this event of transaction ${hash}; events of unfinalized blocks are added later`,
  );
}
