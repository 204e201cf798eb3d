import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { getFirst } from '#runtime/lists.ts';
import { hasPassed } from '#sql/self-audits.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, IsoTime } from '../../terms/primitives.ts';

const Check = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the check; token checks end with the contract address' }),
    title: z.string(),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
    passed: z.boolean().nullable().meta({
      description: 'true if the check passed: expected equals actual; null if one of these values is unknown',
    }),
    through: Count.meta({ description: 'Last block that the check included' }),
    checkedAt: IsoTime,
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditCheck' });

const titles: Readonly<Record<string, string>> = {
  daily_transactions: 'The transaction counts of daily charts equal the sums of the counts of their blocks',
  header_transactions: 'The number of stored transactions equals the sum of the counts in stored blocks',
  header_logs: 'The number of stored logs equals the sum of the log counts in stored blocks',
  holders_equal_supply: 'The sum of all holder balances equals totalSupply at the same block',
  sampled_receipts: "Random stored receipts equal the node's receipts",
};

/** @source docs/architecture.md#check-figures */
export const getAudit = defineRoute({
  id: 'getAudit',
  base: '/api/v1',
  path: '/status/audit',
  methods: ['get'],
  tag: 'service',
  summary: 'Consistency checks of the index',
  description: 'Each consistency check compares an expected with an actual value.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({ passed: Count, failed: Count, unknown: Count, checks: z.array(Check) })
    .meta({ id: 'Audit' }),
  errors: ['store_unavailable'],
  maxAgeSeconds: 10,
  example: '/status/audit',
  handle: async ({ database }: StoreDeps) => {
    const checks = (await database.read('self_audits')).map(toCheck);
    const count = (passed: boolean | null) => checks.filter((check) => check.passed === passed).length;
    return { passed: count(true), failed: count(false), unknown: count(null), checks };
  },
});

function toCheck(row: RowOf<'self_audits'>) {
  return {
    name: row.name,
    title: titles[getFirst(row.name.split(':'))] ?? row.name,
    expected: row.expected || null,
    actual: row.actual || null,
    passed: hasPassed(row),
    through: Number(row.through_block),
    checkedAt: isoTimeFromMs(Number(row.checked_at_ms)),
    detail: row.detail || null,
  };
}
