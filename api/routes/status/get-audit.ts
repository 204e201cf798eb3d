import { z } from 'zod';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { firstOf } from '#runtime/lists.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, IsoTime } from '../../terms/primitives.ts';

const Check = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the check; checks of tokens end with the contract' }),
    title: z.string(),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
    passed: z.boolean().nullable().meta({ description: 'null where one of both could not be found out' }),
    through: Count.meta({ description: 'Last block that was looked at' }),
    checkedAt: IsoTime,
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditCheck' });

const titles: Readonly<Record<string, string>> = {
  daily_transactions: 'Transactions of all closed days of the charts equal those of their blocks',
  header_transactions: 'Transactions stored equal the counts of the block headers',
  header_logs: 'Logs stored equal the counts of the receipts',
  holders_equal_supply: 'The sum of all holders equals totalSupply at the same block',
  sampled_receipts: "Receipts picked at random equal the node's",
};

/** @source conventions M15 */
export const getAudit = defineRoute({
  id: 'getAudit',
  base: '/api/v1',
  path: '/status/audit',
  methods: ['get'],
  tag: 'service',
  summary: 'What the service counts against what it must amount to, check by check',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({ passed: Count, failed: Count, unknown: Count, checks: z.array(Check) })
    .meta({ id: 'Audit' }),
  errors: ['store_unavailable'],
  maxAgeSeconds: 10,
  example: '/status/audit',
  handle: async ({ database }: StoreDeps) => {
    const checks = (await database.read('self_audits')).map(checkOf);
    const count = (passed: boolean | null) => checks.filter((check) => check.passed === passed).length;
    return { passed: count(true), failed: count(false), unknown: count(null), checks };
  },
});

function checkOf(row: RowOf<'self_audits'>) {
  const isKnown = row.expected !== '' && row.actual !== '';
  return {
    name: row.name,
    title: titles[firstOf(row.name.split(':'))] ?? row.name,
    expected: row.expected || null,
    actual: row.actual || null,
    passed: isKnown ? row.expected === row.actual : null,
    through: Number(row.through_block),
    checkedAt: isoTimeOfMs(Number(row.checked_at_ms)),
    detail: row.detail || null,
  };
}
