/**
 * Deletes old signed bytes of withdrawals that are neither on the chain nor known to the node that receives
 * transactions. Their nonces stay reserved, because the signer may still send them.
 */
import { hexDigits } from '#chain/codec/hex.ts';
import { runOnSchedule } from '#runtime/schedule.ts';
import type { StateDeps } from '../reader-deps.ts';
import {
  findWithdrawal,
  isSeen,
  noteWithdrawal,
  readWithdrawalState,
  unsentMs,
  type WithdrawalDeps,
} from './withdrawals.ts';

type ExpiryDeps = WithdrawalDeps & Pick<StateDeps, 'log'>;

/** Deletes expired bytes. Several processes may run this at once. @returns transaction hashes of the withdrawals */
export async function expireWithdrawals(deps: ExpiryDeps, nowMs = Date.now()): Promise<string[]> {
  const { database } = deps;
  const unsent = await database.read('unsent_withdrawals', { before: nowMs - unsentMs });
  const expired: string[] = [];
  for (const { tx_hash } of unsent) {
    const one = await findWithdrawal(deps, tx_hash);
    if (!one?.raw || one.mayBeKnown || one.createdMs >= nowMs - unsentMs) continue;
    const standing = await deps.snapshots.run((snapshot) => readWithdrawalState(deps, snapshot, one));
    if (isSeen(standing)) await noteWithdrawal(deps, { ...one, mayBeKnown: true });
    if (standing.state !== 'dropped' && standing.state !== 'replaced') continue;
    await database.execute('forget_withdrawal_bytes', {
      sender: hexDigits(one.sender),
      nonce: one.nonce,
      hash: hexDigits(one.hash),
      version: one.version,
    });
    expired.push(one.hash);
  }
  if (expired.length > 0) deps.log.info({ event: 'withdrawals_expired', count: expired.length });
  return expired;
}

export function watchExpiry(deps: ExpiryDeps, signal: AbortSignal): void {
  runOnSchedule('23 * * * *', 'withdrawals_expiry_error', () => expireWithdrawals(deps), { log: deps.log, signal });
}
