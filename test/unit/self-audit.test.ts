import test from 'ava';
import { selfAudit } from '#pipeline/jobs/self-audit.ts';
import { silentLog } from '#runtime/log.ts';

test('the self-audit stores nothing that it counted while blocks were repaired', async (t) => {
  const chain = { state: { backfilledBefore: 9, followFrom: 9, finalized: 8 }, finalizedChanges: 0 };
  const inserted: string[] = [];
  const database = {
    readOne: async (name: string) => {
      if (name === 'audit_days') return { counted: '5', charted: '5' };
      chain.finalizedChanges++; // a repair has removed transactions, but not their blocks yet
      return { header_transactions: '5', stored_transactions: '4', header_logs: '1', stored_logs: '1' };
    },
    insertRowBinary: async (table: string) => void inserted.push(table),
  };
  const deps = { database, log: silentLog } as unknown as Parameters<typeof selfAudit>[0];
  const audited = chain as unknown as Parameters<typeof selfAudit>[1];
  t.false(await selfAudit(deps, audited), 'it runs again');
  t.deepEqual(inserted, ['self_audits'], 'only the days, which were counted before');
  chain.state.backfilledBefore = 5;
  t.false(await selfAudit(deps, audited), 'a repair runs');
  t.is(inserted.length, 1);
});
