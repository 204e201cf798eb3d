import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { readPool } from '../../read/chain/pending-transaction.ts';
import { nameMethod, type SignatureDeps } from '../../read/contracts/signatures/signatures.ts';
import type { NodeDeps } from '../../read/reader-deps.ts';
import { Count, HexAddress, HexHash, Limit, MethodName, Wei } from '../../terms/primitives.ts';

const PoolTransaction = z
  .strictObject({
    hash: HexHash,
    from: HexAddress,
    to: HexAddress.nullable(),
    nonce: Count,
    value: Wei,
    gasLimit: z.string().meta({ description: 'Gas limit, decimal' }),
    type: Count,
    methodId: z.string().meta({ description: 'First 4 bytes of the call data, or 0x' }),
    methodName: MethodName,
    maxFeePerGas: Wei,
    maxPriorityFeePerGas: Wei.nullable(),
    queued: z.boolean().meta({
      description: 'true if the transaction waits for a transaction of its sender with a lower nonce',
    }),
  })
  .meta({ id: 'PoolTransaction' });

export const listPendingTransactions = defineRoute({
  id: 'listPendingTransactions',
  base: '/api/v1',
  path: '/pending-transactions',
  methods: ['get'],
  tag: 'transactions',
  summary: 'Transactions in the pool of a node',
  description:
    'Returns transactions that wait for a block, as one node reports them now. Other nodes can have others. Executable transactions come first, sorted by tip. The index does not contain these transactions.',
  params: z.object({}),
  query: z.object({ limit: Limit }),
  response: z
    .strictObject({
      items: z.array(PoolTransaction),
      ready: Count.meta({ description: 'Number of executable transactions in the pool' }),
      queued: Count.meta({ description: 'Number of transactions that wait for a lower nonce' }),
      limit: Count,
    })
    .meta({ id: 'PoolTransactionList' }),
  errors: ['bad_query', 'node_unavailable', 'store_unavailable'],
  // the node sends its entire pool, which can have thousands of transactions
  cost: 5,
  maxAgeSeconds: 1,
  example: '/pending-transactions?limit=2',
  handle: async (deps: NodeDeps & SignatureDeps, { query: { limit } }) => {
    const pool = await readPool(deps);
    const shown = pool.slice(0, limit);
    const methodNames = await deps.signatures.methodNames(shown.map(({ input }) => input.slice(0, 10)));
    const queued = pool.filter((each) => each.isQueued).length;
    const items = shown.map(({ sender: from, input, isQueued, ...fields }) => {
      const methodId = input.slice(0, 10);
      return { ...fields, from, methodId, methodName: nameMethod(methodNames, fields.to, methodId), queued: isQueued };
    });
    return { items, ready: pool.length - queued, queued, limit };
  },
});
