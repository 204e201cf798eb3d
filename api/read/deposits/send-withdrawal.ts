/** Sends withdrawals: of several with one nonce exactly one, and what the writer says to it. @source specification 4.14, conventions M9 */
import { hexDigits } from '#chain/codec/hex.ts';
import { UpstreamError } from '#gateway/upstream.ts';
import { quietWrites } from '#sql/quiet-writes.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NodeDeps, StoreDeps } from '../reader-deps.ts';
import {
  askTimeoutMs,
  findWithdrawal,
  noteWithdrawal,
  standingOf,
  storeWithdrawal,
  type Withdrawal,
  type WithdrawalDeps,
  type WithdrawalState,
} from './withdrawals.ts';

const sendTimeoutMs = 15_000;

/** Other hashes that were told of the same sender and nonce. */
async function rivalsOf({ database }: StoreDeps, one: Withdrawal): Promise<string[]> {
  const rows = await database.read('withdrawals_of_nonce', { sender: hexDigits(one.sender), nonce: one.nonce });
  return rows.map((row) => row.tx_hash).filter((hash) => hash !== one.hash);
}

/** A withdrawal of which nothing can come any more: its nonce is free for judgement by the chain alone. */
const isOver = (state: WithdrawalState) => state === 'replaced' || state === 'complete' || state === 'failed';

/** @throws ApiProblem withdrawal_conflict while another signed transaction with this nonce may still be mined */
export async function refuseRivals(deps: WithdrawalDeps, one: Withdrawal, hashes?: readonly string[]): Promise<void> {
  for (const hash of hashes ?? (await rivalsOf(deps, one))) {
    const rival = await findWithdrawal(deps, hash);
    if (!rival?.isSigned) continue; // anybody may have said it, or it lost its nonce
    const { state } = await deps.snapshots.run((snapshot) => standingOf(deps, snapshot, rival));
    if (!isOver(state))
      throw new ApiProblem(
        'withdrawal_conflict',
        `${hash} with the same sender and nonce is ${state}: send its own bytes again`,
        { hash, state },
      );
  }
}

/**
 * Claims the nonce of a withdrawal whose bytes are stored, across all processes: of several that are registered at once
 * exactly one gets through. A claim ranks above all that were there when its statement began; once every statement that
 * ran beside it has ended, all claims that can rank before it are seen.
 * @throws ApiProblem withdrawal_conflict where another one was first; the withdrawal is then void
 */
export async function claimNonce(deps: WithdrawalDeps, one: Withdrawal): Promise<void> {
  const { database } = deps;
  const nonce = { sender: hexDigits(one.sender), nonce: one.nonce };
  await database.execute('store_withdrawal_claim', { ...nonce, hash: hexDigits(one.hash) });
  await quietWrites(deps, 'running_withdrawal_claims');
  const rows = await database.read('withdrawal_claims', nonce);
  const ranked = rows.map((row) => row.tx_hash);
  const rank = ranked.indexOf(one.hash);
  if (rank < 0) throw new ApiProblem('store_unavailable', 'the claim to the nonce could not be read back, try again');
  try {
    await refuseRivals(deps, one, ranked.slice(0, rank));
  } catch (error) {
    await storeWithdrawal(deps, one, true);
    throw error;
  }
}

/** accepted: the writer has it. unknown: it may have it, the same bytes are to be sent again. refused: it said no. */
export type Broadcast = 'accepted' | 'alreadyKnown' | 'unknown' | 'refused';

/** Makes sure that nothing stands in the way of bytes that were stored and never sent. @throws ApiProblem withdrawal_conflict */
export async function claimUnsent(deps: WithdrawalDeps, one: Withdrawal): Promise<void> {
  await refuseRivals(deps, one);
  if (!one.mayBeKnown) await claimNonce(deps, one);
}

/**
 * Sends the signed bytes to the writer, once, after it was stored that the network may know them. "already known", and
 * "nonce too low" for a transaction that the writer has, are success.
 * @source specification 4.14: a 502 or 504 is answered by the same bytes again, never by a new signature
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
  // another broadcast that began meanwhile may have got through: its row stays above
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
    if (/already known|already imported|already in mempool|known transaction/i.test(said))
      return { outcome: 'alreadyKnown', said };
    const isKnown = await upstreams.writer
      .call('eth_getTransactionByHash', [hash], askTimeoutMs)
      .catch(() => undefined);
    return { outcome: isKnown ? 'alreadyKnown' : isKnown === undefined ? 'unknown' : 'refused', said };
  }
}
