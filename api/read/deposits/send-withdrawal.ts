/** Sends withdrawals to a node, at most one per sender and nonce. @source docs/withdrawals.md#or-write-your-own */
import { hexDigits } from '#chain/codec/hex.ts';
import { UpstreamError } from '#gateway/upstream.ts';
import { waitForRunningWrites } from '#sql/quiet-writes.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { assertIndexed } from '../chain/snapshot-reader.ts';
import type { NodeDeps, StoreDeps } from '../reader-deps.ts';
import {
  askTimeoutMs,
  findWithdrawal,
  noteWithdrawal,
  readWithdrawalState,
  storeWithdrawal,
  type Withdrawal,
  type WithdrawalDeps,
  type WithdrawalState,
} from './withdrawals.ts';

const sendTimeoutMs = 15_000;

async function readRivals({ database }: StoreDeps, one: Withdrawal): Promise<string[]> {
  const rows = await database.read('withdrawals_of_nonce', { sender: hexDigits(one.sender), nonce: one.nonce });
  return rows.map((row) => row.tx_hash).filter((hash) => hash !== one.hash);
}

const isFinal = (state: WithdrawalState) => state === 'replaced' || state === 'complete' || state === 'failed';

/**
 * Rejects a withdrawal if another transaction with its nonce may still be mined.
 * @throws ApiProblem withdrawal_conflict
 */
export async function refuseRivals(deps: WithdrawalDeps, one: Withdrawal, hashes?: readonly string[]): Promise<void> {
  await assertIndexed(deps.snapshots);
  for (const hash of hashes ?? (await readRivals(deps, one))) {
    const rival = await findWithdrawal(deps, hash);
    if (!rival?.isSigned) continue; // only its hash was registered, or it lost its nonce to another withdrawal
    const { state } = await deps.snapshots.run((snapshot) => readWithdrawalState(deps, snapshot, rival));
    if (!isFinal(state))
      throw new ApiProblem(
        'withdrawal_conflict',
        `conflicts with the registered withdrawal ${hash}: same sender and nonce, state ${state}; send its signed bytes again`,
        { hash, state },
      );
  }
}

/**
 * Claims a nonce. A claim ranks after all claims that its INSERT saw. When concurrent INSERTs have ended, all claims
 * with lower ranks are visible, so exactly one claim wins.
 * @throws ApiProblem withdrawal_conflict if another claim won; the withdrawal is then void
 */
export async function claimNonce(deps: WithdrawalDeps, one: Withdrawal): Promise<void> {
  const { database } = deps;
  const nonce = { sender: hexDigits(one.sender), nonce: one.nonce };
  await database.execute('store_withdrawal_claim', { ...nonce, hash: hexDigits(one.hash) });
  await waitForRunningWrites(deps, 'running_withdrawal_claims');
  const rows = await database.read('withdrawal_claims', nonce);
  const ranked = rows.map((row) => row.tx_hash);
  const rank = ranked.indexOf(one.hash);
  if (rank < 0) throw new ApiProblem('store_unavailable', 'the nonce claim could not be read back; try again');
  try {
    await refuseRivals(deps, one, ranked.slice(0, rank));
  } catch (error) {
    await storeWithdrawal(deps, one, true);
    throw error;
  }
}

/** `unknown`: the node may have the transaction, so send the same bytes again. */
export type Broadcast = 'accepted' | 'alreadyKnown' | 'unknown' | 'refused';

/** Claims the nonce before the first broadcast. @throws ApiProblem withdrawal_conflict */
export async function claimUnsent(deps: WithdrawalDeps, one: Withdrawal): Promise<void> {
  await refuseRivals(deps, one);
  if (!one.mayBeKnown) await claimNonce(deps, one);
}

/**
 * First stores that the network may know the transaction. Then sends its signed bytes once to the node that receives
 * transactions (writer). An error counts as success if the writer has the transaction.
 */
export async function broadcast(
  deps: StoreDeps & Pick<NodeDeps, 'upstreams'>,
  one: Withdrawal,
): Promise<{ outcome: Broadcast; withdrawal: Withdrawal }> {
  const sending = { ...one, broadcastMs: Date.now(), broadcast: 'sending', mayBeKnown: true };
  const marked = one.mayBeKnown ? one : await storeWithdrawal(deps, sending);
  const { outcome, said } = await send(deps, one);
  const answered = { ...marked, broadcastMs: Date.now(), broadcast: said };
  if (outcome !== 'refused' || one.mayBeKnown) return { outcome, withdrawal: await storeWithdrawal(deps, answered) };
  // must not replace a newer row: a concurrent broadcast may have succeeded
  const refused = { ...answered, mayBeKnown: false };
  await noteWithdrawal(deps, refused);
  return { outcome, withdrawal: refused };
}

async function send(
  { upstreams }: Pick<NodeDeps, 'upstreams'>,
  { raw, hash }: Withdrawal,
): Promise<{ outcome: Broadcast; said: string }> {
  try {
    await upstreams.writer.call('eth_sendRawTransaction', [raw], sendTimeoutMs);
    return { outcome: 'accepted', said: 'accepted' };
  } catch (error) {
    const said = (error as Error).message.slice(0, 300);
    if (error instanceof UpstreamError) return { outcome: 'unknown', said };
    if (/already known|already imported|already in mempool|\bknown transaction/i.test(said))
      return { outcome: 'alreadyKnown', said };
    const isKnown = await upstreams.writer
      .call('eth_getTransactionByHash', [hash], askTimeoutMs)
      .catch(() => undefined);
    return { outcome: isKnown ? 'alreadyKnown' : isKnown === undefined ? 'unknown' : 'refused', said };
  }
}
