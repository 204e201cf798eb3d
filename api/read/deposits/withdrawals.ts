/** Registered withdrawals and their state on the chain. @source docs/withdrawals.md#or-write-your-own */
import { keccak256, Transaction } from 'ethers';
import { hexDigits } from '#chain/codec/hex.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { DetailRecord } from '../../terms/records.ts';
import { countConfirmations, getFinality } from '../chain/finality.ts';
import { getCoverage } from '../chain/freshness.ts';
import type { Snapshots } from '../chain/snapshot-reader.ts';
import type { TransactionReader } from '../chain/transaction-reader.ts';
import type { CoverageDeps, NodeDeps, StoreDeps } from '../reader-deps.ts';
import { requiredConfirmations } from './rules.ts';

export interface WithdrawalDeps extends StoreDeps, CoverageDeps {
  readonly snapshots: Snapshots;
  readonly transactions: TransactionReader;
}

export interface Withdrawal {
  readonly hash: string;
  readonly sender: string;
  readonly nonce: number;
  /** Signed transaction; null if only its hash was registered or its bytes expired. */
  readonly raw: string | null;
  /** Signed bytes were registered. Their nonce stays claimed after they expire. */
  readonly isSigned: boolean;
  readonly createdMs: number;
  readonly broadcastMs: number;
  /** Last answer of the node that receives transactions (writer); empty: never sent. */
  readonly broadcast: string;
  /** Who may change it: `key:<identity>` or the SHA-256 hash of a secret (capability); empty: only a hash was sent. */
  readonly owner: string;
  /** False: the signed bytes were never sent, or the writer always rejected them. */
  readonly mayBeKnown: boolean;
  readonly version: number;
}

/** Unsent signed bytes expire after this time, ms. */
export const unsentMs = 30 * 86_400_000;

/** Returns when the signed bytes expire, Unix ms. Bytes that the network may know never expire. */
export const getExpiry = ({ raw, mayBeKnown, createdMs }: Withdrawal): number | undefined =>
  raw === null || mayBeKnown ? undefined : createdMs + unsentMs;

/** Half the order of secp256k1. @source EIP-2 */
const maxLowS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const unsignedVersion = 1;
export const askTimeoutMs = 5_000;

/**
 * Parses a signed transaction.
 * @throws ApiProblem bad_query if it is for another chain, not canonically encoded, or signed with a high s (EIP-2)
 */
export function readRaw(raw: string, chainId: number): Pick<Withdrawal, 'hash' | 'sender' | 'nonce' | 'raw'> {
  let transaction: Transaction;
  try {
    transaction = Transaction.from(raw);
  } catch {
    throw new ApiProblem('bad_query', 'raw must be a signed transaction, 0x hex');
  }
  const { hash, from, nonce, signature } = transaction;
  if (!hash || !from || !signature)
    throw new ApiProblem('bad_query', 'raw must be signed: the transaction has no signature');
  if (transaction.chainId !== BigInt(chainId))
    throw new ApiProblem('bad_query', `raw must be signed for chain ${chainId}, got chain ${transaction.chainId}`);
  // nodes reject other encodings, or the transaction gets another hash on the chain
  if (keccak256(raw) !== hash || transaction.serialized !== raw.toLowerCase())
    throw new ApiProblem('bad_query', 'raw must be canonically encoded: keccak256(raw) must be the transaction hash');
  if (BigInt(signature._s) > maxLowS)
    throw new ApiProblem(
      'bad_query',
      'raw is signed with a high s, which nodes reject (EIP-2): sign it again with a low s',
    );
  return { hash: hash.toLowerCase(), sender: from.toLowerCase(), nonce, raw: raw.toLowerCase() };
}

export async function findWithdrawal({ database }: StoreDeps, hash: string): Promise<Withdrawal | undefined> {
  const [row] = await database.read('withdrawal', { hash: hexDigits(hash) });
  return (
    row && {
      hash: hash.toLowerCase(),
      sender: row.from_address,
      nonce: Number(row.nonce),
      raw: row.raw_hex === '0x' ? null : row.raw_hex,
      createdMs: Number(row.created_ms),
      broadcastMs: Number(row.broadcast_ms),
      broadcast: row.broadcast,
      owner: row.owner,
      mayBeKnown: Number(row.may_be_known) === 1,
      isSigned: Number(row.is_signed) === 1,
      version: Number(row.version),
    }
  );
}

/**
 * Stores a withdrawal. An unsigned registration never replaces a signed one.
 * @param isVoid the withdrawal lost its nonce to a concurrent registration
 */
export async function storeWithdrawal(
  { database }: Pick<StoreDeps, 'database'>,
  one: Withdrawal,
  isVoid = false,
): Promise<Withdrawal> {
  const version = one.isSigned ? Math.max(Date.now(), one.version + 1) : unsignedVersion;
  const w = new RowWriter(512);
  w.fixed(one.hash, 32);
  w.fixed(one.sender, 20);
  w.uint64(one.nonce);
  w.data(isVoid ? '0x' : (one.raw ?? '0x'));
  w.uint64(one.createdMs);
  w.uint64(one.broadcastMs);
  w.text(one.broadcast);
  w.uint64(version);
  w.text(one.owner);
  w.uint8(Number(isVoid));
  w.uint8(Number(one.mayBeKnown));
  w.uint8(Number(one.isSigned));
  await database.insertRowBinary('withdrawals', w.view());
  return { ...one, version };
}

/** Stores a node's answer to a withdrawal, unless the stored row is newer. */
export async function noteWithdrawal({ database }: StoreDeps, one: Withdrawal): Promise<void> {
  await database.execute('note_withdrawal', {
    sender: hexDigits(one.sender),
    nonce: one.nonce,
    hash: hexDigits(one.hash),
    version: one.version,
    broadcast: one.broadcast,
    broadcast_at: one.broadcastMs,
    may_be_known: Number(one.mayBeKnown),
  });
}

export const isSeen = ({ state, replacedBy }: Pick<Standing, 'state' | 'replacedBy'>): boolean =>
  state === 'mined' || state === 'complete' || state === 'failed' || (state === 'pending' && replacedBy === null);

export type WithdrawalState = 'pending' | 'mined' | 'complete' | 'replaced' | 'dropped' | 'failed' | 'unknown';

export interface Standing {
  readonly state: WithdrawalState;
  readonly confirmations: number;
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  readonly replacedBy: string | null;
}

interface ShownTransaction {
  readonly sender: string;
  readonly nonce: number;
}

const notMined = { confirmations: 0, blockNumber: null, blockHash: null, replacedBy: null };

/**
 * Returns the state of a withdrawal. `dropped`: its nonce is unused, and the node that receives transactions (writer)
 * does not know the transaction.
 */
export async function readWithdrawalState(
  deps: WithdrawalDeps,
  state: ChainState,
  one: Withdrawal,
): Promise<Standing & Partial<ShownTransaction>> {
  const row = await deps.transactions.find(state, one.hash);
  if (row) return readMinedState(deps, state, row);
  const reply = await askWriter(deps, one.hash);
  const standing = await readUnminedState(deps, state, one, reply);
  if (one.isSigned || reply || standing.replacedBy === null) return standing;
  // without signed bytes, sender and nonce are unverified: a wrong "replaced" would cause a second payment
  return { ...standing, state: 'unknown' };
}

/**
 * Reports the outcome only if the writer has the same receipt: after a wrong "failed", the sender would pay again. A
 * finalized success needs no receipt, because nodes may delete old ones.
 */
export async function readMinedState(deps: NodeDeps, state: ChainState, row: DetailRecord) {
  const mined = getMinedState(state, row);
  const isFinal = getFinality(state, Number(row.block_number)) === 'final';
  if (mined.state === 'mined' || (mined.state === 'complete' && isFinal)) return mined;
  const receipt = await deps.upstreams.writer
    .call('eth_getTransactionReceipt', [row.hash], askTimeoutMs)
    .catch(() => undefined);
  const { status, blockHash } = (receipt ?? {}) as { status?: string; blockHash?: string };
  const expected = mined.state === 'failed' ? '0x0' : '0x1';
  const isConfirmed = status === expected && blockHash?.toLowerCase() === mined.blockHash;
  return isConfirmed ? mined : { ...mined, state: 'mined' as const };
}

function getMinedState(state: ChainState, row: DetailRecord): Standing & ShownTransaction {
  const blockNumber = Number(row.block_number);
  const confirmations = countConfirmations(state, blockNumber);
  return {
    ...notMined,
    sender: row.from,
    nonce: Number(row.nonce),
    state: confirmations >= requiredConfirmations ? getOutcome(row) : 'mined',
    confirmations,
    blockNumber,
    blockHash: row.block_hash,
  };
}

/** Before Byzantium, receipts have no status. @source EIP-658 */
function getOutcome({ status }: DetailRecord): 'failed' | 'complete' | 'mined' {
  if (status === 0) return 'failed';
  return status === 1 ? 'complete' : 'mined';
}

type OfPool = { readonly blockNumber: string | null; readonly from: string; readonly nonce: string };

/** Asks the writer for a transaction. @returns null: unknown to the writer; undefined: no answer */
export function askWriter({ upstreams }: NodeDeps, hash: string): Promise<OfPool | null | undefined> {
  const answer = upstreams.writer.call('eth_getTransactionByHash', [hash], askTimeoutMs);
  return answer.catch(() => undefined) as Promise<OfPool | null | undefined>;
}

/**
 * Returns the state of a transaction that neither the index nor the writer knows. If its nonce is used, an
 * authorization or a block that is not indexed yet used it.
 * @source EIP-7702
 */
async function getStateByNonce(
  { upstreams }: NodeDeps,
  { sender, nonce }: Pick<Withdrawal, 'sender' | 'nonce'>,
): Promise<'dropped' | 'unknown'> {
  const count = await upstreams.writer
    .call('eth_getTransactionCount', [sender, 'latest'], askTimeoutMs)
    .then(Number, () => Number.NaN);
  return count <= nonce ? 'dropped' : 'unknown';
}

/** @param known reply of the writer, see askWriter */
export async function readUnminedState(
  deps: StoreDeps & CoverageDeps & NodeDeps,
  state: ChainState,
  one: Pick<Withdrawal, 'hash' | 'sender' | 'nonce'>,
  known: OfPool | null | undefined,
): Promise<Standing & Partial<ShownTransaction>> {
  const shown = known ? { sender: known.from.toLowerCase(), nonce: Number(known.nonce) } : undefined;
  const { sender, nonce } = shown ?? one;
  const [rival] = await deps.database.read('transaction_of_nonce', {
    ...snapshotParameters(state),
    sender: hexDigits(sender),
    nonce,
  });
  if (rival && rival.hash !== one.hash) {
    const confirmations = countConfirmations(state, Number(rival.block_number));
    // a reorg may still remove the other transaction
    const how = confirmations >= requiredConfirmations ? 'replaced' : 'pending';
    return { ...notMined, ...shown, state: how, replacedBy: rival.hash };
  }
  if (known === undefined) return { ...notMined, state: 'unknown' };
  // a missing block may contain this withdrawal or another transaction with its nonce
  const { complete } = getCoverage(deps, state, state.startBlock);
  if (known === null) return { ...notMined, state: complete ? await getStateByNonce(deps, one) : 'unknown' };
  return { ...notMined, ...shown, state: known.blockNumber ? 'mined' : 'pending' };
}
