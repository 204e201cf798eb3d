import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { absentTransaction } from '../../read/chain/absent-transaction.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { type PendingMemory, parsePending } from '../../read/chain/pending-transaction.ts';
import type { TransactionReader } from '../../read/chain/transaction-reader.ts';
import { requiredConfirmations } from '../../read/deposits/rules.ts';
import { askWriter, readMinedState, readUnminedState } from '../../read/deposits/withdrawals.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, HexData, HexHash, IndexInfo, TxHash, Wei } from '../../terms/primitives.ts';

const Pending = z
  .strictObject({
    from: HexAddress,
    to: HexAddress.nullable(),
    nonce: Count,
    value: Wei,
    gasLimit: z.string().meta({ description: 'Gas limit, decimal' }),
    type: Count,
    input: HexData,
    maxFeePerGas: Wei.meta({ description: 'Maximum price per gas that the sender pays, wei' }),
    maxPriorityFeePerGas: Wei.nullable(),
  })
  .meta({ id: 'PendingTransaction' });

interface PendingDeps extends StoreDeps, SnapshotDeps {
  readonly transactions: TransactionReader;
  readonly pending: PendingMemory;
}

export const getStanding = defineRoute({
  id: 'getTransactionState',
  base: '/api/v1',
  path: '/transactions/:hash/state',
  methods: ['get'],
  tag: 'transactions',
  summary: 'State of a transaction, from broadcast to finality',
  description:
    'Also finds transactions that are in no block, if the pool of the node that receives transactions contains them now, or did at an earlier request. replaced: another transaction of the sender with the same nonce is confirmed. dropped: the node has forgotten the transaction, and its nonce is free.',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  response: z
    .strictObject({
      hash: HexHash,
      state: z.enum(['pending', 'mined', 'complete', 'replaced', 'dropped', 'failed']).meta({
        description:
          'mined: in a block with too few confirmations, or the writer does not confirm its failure. complete and failed: the transaction has the required confirmations',
      }),
      confirmations: Count,
      requiredConfirmations: Count,
      blockNumber: Count.nullable(),
      blockHash: HexHash.nullable(),
      replacedBy: HexHash.nullable().meta({
        description:
          'Transaction in a block with the same sender and nonce; a reorg can still remove it while the state is pending',
      }),
      transaction: Pending.nullable().meta({
        description:
          'Pending transaction; null if a block contains the transaction, then request /transactions/{txHash}',
      }),
      index: IndexInfo,
    })
    .meta({ id: 'TransactionState' }),
  errors: ['bad_query', 'not_found', 'indexing', 'node_unavailable', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/transactions/{transaction}/state',
  handle: async (deps: PendingDeps & CoverageDeps & ChainDeps, { params: { hash } }) => {
    const reply = await askWriter(deps, hash);
    const ofPool = parsePending(hash, reply);
    if (ofPool && reply?.blockNumber === null) deps.pending.remember(ofPool);
    return deps.snapshots.run(async (state) => {
      const common = { hash, requiredConfirmations, index: indexInfo(deps, state) };
      const row = await deps.transactions.find(state, hash);
      if (row) {
        const { sender: _, nonce: __, ...standing } = await readMinedState(deps, state, row);
        return { ...common, ...known(standing), transaction: null };
      }
      const pending = ofPool ?? deps.pending.recall(hash);
      if (!pending) {
        if (reply === null) throw await absentTransaction(deps, state, hash);
        throw unanswered(hash);
      }
      const { sender: from, hash: _, ...fields } = pending;
      const { sender: __, nonce: ___, ...standing } = await readUnminedState(deps, state, pending, reply);
      return { ...common, ...known(standing), transaction: { from, ...fields } };
    });

    function known<S extends { readonly state: string }>(standing: S) {
      if (standing.state === 'unknown') throw unanswered(hash);
      return standing as S & { readonly state: Exclude<S['state'], 'unknown'> };
    }
  },
});

const unanswered = (hash: string) =>
  new ApiProblem(
    'node_unavailable',
    `transaction ${hash} is in no indexed block, and the node that receives transactions did not answer whether it is pending`,
  );
