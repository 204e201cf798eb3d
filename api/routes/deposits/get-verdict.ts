import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { fat } from '../../read/charts/decimals.ts';
import { type EvidenceDeps, gatherEvidence } from '../../read/deposits/evidence.ts';
import { maxConfirmations, requiredConfirmations } from '../../read/deposits/rules.ts';
import { judge } from '../../read/deposits/verdict.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { Address, Count, HexHash, IndexInfo, ReceiptStatus, TxHash, wholeNumber } from '../../terms/primitives.ts';

const Rule = z.strictObject({ rule: z.string(), detail: z.string() });
const Seen = z
  .strictObject({
    source: z.enum(['ok', 'unavailable']),
    found: z.boolean(),
    status: ReceiptStatus.nullable(),
    blockNumber: Count.nullable(),
    blockHash: HexHash.nullable(),
    latest: Count.nullable(),
    hashAtHeight: HexHash.nullable(),
  })
  .meta({ id: 'DepositSighting' });

/** @source docs/deposits.md#what-the-verdict-checks */
export const getVerdict = defineRoute({
  id: 'getVerdict',
  base: '/api/v1',
  path: '/deposits/verdict',
  methods: ['get'],
  tag: 'deposits',
  summary: 'Checks whether a deposit of the native coin can be credited',
  description:
    'Checks the deposit on the writer node (which receives transactions), on a node of the read pool, and in the index. If these contradict each other, the state is disagreement.',
  params: z.object({}),
  query: z.object({
    tx: TxHash.meta({ description: 'Transaction hash of the deposit' }),
    to: Address.meta({ description: 'Deposit address that must be the recipient of the transaction' }),
    minValue: z
      .string()
      .regex(/^\d{1,78}$/, 'must be an integer amount of wei')
      .default('1')
      .meta({ description: 'Minimum value of a deposit to credit, wei' }),
    minConfirmations: wholeNumber(requiredConfirmations, maxConfirmations)
      .default(requiredConfirmations)
      .meta({ description: 'Confirmations that a creditable deposit must have; at least 20' }),
  }),
  response: z
    .strictObject({
      verdict: z.enum(['creditable', 'wait', 'reject']),
      state: z.enum([
        'creditable',
        'unknown',
        'pending',
        'confirming',
        'notIndexed',
        'failed',
        'mismatch',
        'disagreement',
        'unavailable',
      ]),
      rulesPassed: z.array(Rule),
      rulesFailed: z.array(Rule),
      confirmations: Count,
      required: Count.meta({ description: 'Confirmations that this verdict required: minConfirmations' }),
      blockHash: HexHash.nullable(),
      value: z
        .string()
        .nullable()
        .meta({ description: 'Value of the transaction, wei; null if the transaction was not found' }),
      fat: z.string().nullable(),
      explorerUrl: z.string(),
      evidence: z.strictObject({ writerReceipt: Seen, poolReceipt: Seen.nullable(), index: Seen }),
      index: IndexInfo,
    })
    .meta({ id: 'DepositVerdict' }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/deposits/verdict?tx={transaction}&to={account}',
  handle: (deps: EvidenceDeps & SnapshotDeps & CoverageDeps & NetworkDeps, { query }) =>
    deps.snapshots.run(async (state) => {
      const { tx, to, minConfirmations } = query;
      const evidence = await gatherEvidence(deps, state, tx);
      const expected = { to, minConfirmations, minValue: BigInt(query.minValue), chainId: deps.settings.chainId };
      const { verdict, state: depositState, rules, confirmations, blockHash } = judge(evidence, expected);
      const listRules = (passed: boolean) =>
        rules.filter((rule) => rule.passed === passed).map(({ rule, detail }) => ({ rule, detail }));
      const value = evidence.transfer?.value;
      return {
        verdict,
        state: depositState,
        rulesPassed: listRules(true),
        rulesFailed: listRules(false),
        confirmations,
        required: minConfirmations,
        blockHash,
        value: value?.toString() ?? null,
        fat: value === undefined ? null : fat(value),
        explorerUrl: `${deps.settings.network.explorerUrls[0]}/tx/${tx}`,
        evidence: {
          writerReceipt: evidence.writer,
          poolReceipt: evidence.pool,
          index: evidence.index,
        },
        index: indexInfo(deps, state),
      };
    }),
});
