/** Withdrawals that are waited for: what was told of them, and how they stand. @source specification 4.14, conventions M9 */

import { keccak256, Transaction } from 'ethers';
import { hexDigits } from '#chain/codec/hex.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { DetailRecord } from '../../terms/records.ts';
import { confirmationsOf } from '../chain/finality.ts';
import { coverageOf } from '../chain/freshness.ts';
import type { Snapshots } from '../chain/snapshot-reader.ts';
import type { TransactionReader } from '../chain/transaction-reader.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import { requiredConfirmations } from './rules.ts';

/** By what it is judged how a withdrawal stands. */
export interface WithdrawalDeps extends StoreDeps, CoverageDeps {
  readonly snapshots: Snapshots;
  readonly transactions: TransactionReader;
}

export interface Withdrawal {
  readonly hash: string;
  readonly sender: string;
  readonly nonce: number;
  /** Signed transaction; null where only its hash was told, or its bytes were forgotten. */
  readonly raw: string | null;
  /** Whether its bytes were registered: it then claims its nonce, also when they are forgotten. */
  readonly isSigned: boolean;
  readonly createdMs: number;
  readonly broadcastMs: number;
  /** What the writer said to the last broadcast; empty where there was none. */
  readonly broadcast: string;
  /** Who registered its bytes: `key:<identity>`, or the SHA-256 of a capability; empty where only its hash was told. */
  readonly owner: string;
  /** False where it was never sent to the writer, or the writer refused it each time: it then expires. */
  readonly mayBeKnown: boolean;
  /** Of the stored row; 0 before there is one. */
  readonly version: number;
}

/** How long bytes are kept that the network does not know, ms. */
export const unsentMs = 30 * 86_400_000;

/** When the bytes of a withdrawal are forgotten unless the network knows them by then; undefined: they are kept. */
export const expiryOf = ({ raw, mayBeKnown, createdMs }: Withdrawal): number | undefined =>
  raw === null || mayBeKnown ? undefined : createdMs + unsentMs;

/** Half of the order of secp256k1. @source EIP-2 */
const maxLowS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** Of rows that hold no bytes: they never stand above one that does, whichever was written first. */
const hearsayVersion = 1;
export const askTimeoutMs = 5_000;

/**
 * What a signed transaction says of itself.
 * @throws ApiProblem bad_query where it is none, of another chain, not in its one encoding, or signed with a high s (EIP-2)
 */
export function readRaw(raw: string, chainId: number): Pick<Withdrawal, 'hash' | 'sender' | 'nonce' | 'raw'> {
  let transaction: Transaction;
  try {
    transaction = Transaction.from(raw);
  } catch {
    throw new ApiProblem('bad_query', 'raw is no signed transaction');
  }
  const { hash, from, nonce, signature } = transaction;
  if (!hash || !from || !signature) throw new ApiProblem('bad_query', 'raw is not signed');
  if (transaction.chainId !== BigInt(chainId))
    throw new ApiProblem('bad_query', `raw is signed for chain ${transaction.chainId}, not for ${chainId}`);
  // other bytes that mean the same have another hash on the chain, or are refused by nodes
  if (keccak256(raw) !== hash || transaction.serialized !== raw.toLowerCase())
    throw new ApiProblem(
      'bad_query',
      'raw is not in its canonical encoding: keccak256(raw) must be the transaction hash',
    );
  if (BigInt(signature._s) > maxLowS)
    throw new ApiProblem(
      'bad_query',
      'raw is signed with a high s, which nodes refuse (EIP-2): sign it again with a low s',
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
 * Writes a withdrawal above what is stored of it. What was only said of a hash is stored below anything else.
 * @param isVoid it lost its nonce to another one that was registered at the same time
 */
export async function storeWithdrawal(
  { database }: Pick<StoreDeps, 'database'>,
  one: Withdrawal,
  isVoid = false,
): Promise<Withdrawal> {
  const version = one.isSigned ? Math.max(Date.now(), one.version + 1) : hearsayVersion;
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

/** Writes what is known of a stored withdrawal now, unless something was written of it since its version. */
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

/** Whether the chain or the writer has this very transaction. */
export const isSeen = ({ state, replacedBy }: Pick<Standing, 'state' | 'replacedBy'>): boolean =>
  state === 'mined' || state === 'complete' || state === 'failed' || (state === 'pending' && replacedBy === null);

export type WithdrawalState = 'pending' | 'mined' | 'complete' | 'replaced' | 'dropped' | 'failed' | 'unknown';

interface Standing {
  readonly state: WithdrawalState;
  readonly confirmations: number;
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  /** Another transaction with the same sender and nonce that is on the chain. */
  readonly replacedBy: string | null;
}

/** What the chain, or a node that waits to mine it, says of a hash: it outweighs what a caller claimed. */
interface ShownTransaction {
  readonly sender: string;
  readonly nonce: number;
}

const nowhere = { confirmations: 0, blockNumber: null, blockHash: null, replacedBy: null };

/**
 * How a withdrawal stands. complete: succeeded, 20 blocks deep and shown by the index. dropped: no node knows it, and its
 * nonce is free.
 */
export async function standingOf(
  deps: WithdrawalDeps,
  state: ChainState,
  one: Withdrawal,
): Promise<Standing & Partial<ShownTransaction>> {
  const row = await deps.transactions.find(state, one.hash);
  return row ? standingInBlock(state, row) : standingOutside(deps, state, one);
}

function standingInBlock(state: ChainState, row: DetailRecord): Standing & ShownTransaction {
  const blockNumber = Number(row.block_number);
  const confirmations = confirmationsOf(state, blockNumber);
  const outcome = row.status === 0 ? 'failed' : 'complete';
  return {
    ...nowhere,
    sender: row.from,
    nonce: Number(row.nonce),
    state: confirmations >= requiredConfirmations ? outcome : 'mined',
    confirmations,
    blockNumber,
    blockHash: row.block_hash,
  };
}

/** Of one that no block of the index holds: by what the writer says, and by who has its nonce. */
async function standingOutside(
  deps: Omit<WithdrawalDeps, 'transactions'>,
  state: ChainState,
  one: Withdrawal,
): Promise<Standing & Partial<ShownTransaction>> {
  const known = (await deps.upstreams.writer
    .call('eth_getTransactionByHash', [one.hash], askTimeoutMs)
    .catch(() => undefined)) as { blockNumber: string | null; from: string; nonce: string } | null | undefined;
  const shown = known ? { sender: known.from.toLowerCase(), nonce: Number(known.nonce) } : undefined;
  const { sender, nonce } = shown ?? one;
  const [rival] = await deps.database.read('transaction_of_nonce', {
    ...snapshotParameters(state),
    sender: hexDigits(sender),
    nonce,
  });
  if (rival && rival.hash !== one.hash) {
    const confirmations = confirmationsOf(state, Number(rival.block_number));
    // until it is deep the other one may go away again
    const how = confirmations >= requiredConfirmations ? 'replaced' : 'pending';
    return { ...nowhere, ...shown, state: how, replacedBy: rival.hash };
  }
  if (known === undefined) return { ...nowhere, state: 'unknown' };
  // a block that is not indexed yet may hold it, or use up its nonce
  const { complete } = coverageOf(deps, state, state.startBlock);
  if (known === null) return { ...nowhere, state: complete ? 'dropped' : 'unknown' };
  return { ...nowhere, ...shown, state: known.blockNumber ? 'mined' : 'pending' };
}
