/** Forgets signed withdrawals that never reached the network: they are neither on the chain nor known to the writer. */
import cron from 'node-cron';
import { hexDigits } from '#chain/codec/hex.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import { findWithdrawal, standingOf, unsentMs, type Withdrawal } from './withdrawals.ts';

/**
 * One round. What the chain knows, or may know since the index or the writer is silent, stays for another round.
 * @returns hashes that were forgotten
 */
export async function expireWithdrawals(deps: ApiDeps, nowMs = Date.now()): Promise<string[]> {
  const { database, statements } = deps;
  const unsent = await database.read<{ tx_hash: string; claimed: string }>(
    getStatement(statements, 'unsent_withdrawals'),
    { before: nowMs - unsentMs },
  );
  const over: { one: Withdrawal; claimed: string }[] = [];
  for (const { tx_hash, claimed } of unsent) {
    const one = await findWithdrawal(deps, tx_hash);
    if (!one || one.mayBeKnown) continue;
    const { state } = await deps.snapshots.run((snapshot) => standingOf(deps, snapshot, one));
    if (state === 'dropped' || state === 'replaced') over.push({ one, claimed });
  }
  if (over.length === 0) return [];
  // first: a claim that outlived its withdrawal would rank it, registered anew, before one that came meanwhile
  await database.execute(getStatement(statements, 'delete_withdrawal_claims'), {
    hashes: over.map(({ one }) => hexDigits(one.hash)),
    numbers: over.map(({ claimed }) => Number(claimed)),
  });
  for (const { one } of over)
    await database.execute(getStatement(statements, 'expire_withdrawal'), {
      sender: hexDigits(one.sender),
      nonce: one.nonce,
      hash: hexDigits(one.hash),
    });
  deps.log.info({ event: 'withdrawals_expired', count: over.length });
  return over.map(({ one }) => one.hash);
}

/** A round an hour until the signal fires. */
export function watchExpiry(deps: ApiDeps, signal: AbortSignal): void {
  const expire = () =>
    expireWithdrawals(deps).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ event: 'withdrawals_expiry_fault', error: String(error) });
    });
  const task = cron.schedule('23 * * * *', expire, { timezone: 'UTC', noOverlap: true });
  signal.addEventListener('abort', () => void task.destroy(), { once: true });
}
