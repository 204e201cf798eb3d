/** Reads pending transactions from nodes. Checks every field, because nodes are untrusted. */
import { isAddress, isHash, isHexData, isQuantity } from '#chain/codec/hex.ts';
import { UnsupportedMethodError } from '#chain/errors.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { stateProblem } from '../accounts/account-reader.ts';
import type { NodeDeps } from '../reader-deps.ts';

export interface PendingTransaction {
  readonly hash: string;
  readonly sender: string;
  readonly to: string | null;
  readonly nonce: number;
  /** Wei, decimal. */
  readonly value: string;
  readonly gasLimit: string;
  readonly type: number;
  readonly input: string;
  /** Maximum price, wei per gas, decimal. */
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string | null;
}

/** @returns undefined if the reply is not a valid transaction with this hash */
export function parsePending(hash: string, reply: unknown): PendingTransaction | undefined {
  const tx = (reply ?? {}) as Record<string, unknown>;
  const { from, to = null, nonce, value, gas, input = tx['data'], type = '0x0' } = tx;
  const fee = tx['maxFeePerGas'] ?? tx['gasPrice'];
  const tip = tx['maxPriorityFeePerGas'] ?? null;
  if (!isHash(tx['hash']) || tx['hash'].toLowerCase() !== hash.toLowerCase()) return undefined;
  if (!isAddress(from) || !(to === null || isAddress(to)) || typeof input !== 'string') return undefined;
  if (!isHexData(input) || !(tip === null || isQuantity(tip))) return undefined;
  if (!isQuantity(nonce) || !isQuantity(value) || !isQuantity(gas) || !isQuantity(type) || !isQuantity(fee))
    return undefined;
  const decimal = (quantity: string) => String(BigInt(quantity));
  return {
    hash: hash.toLowerCase(),
    sender: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    nonce: Number(nonce),
    value: decimal(value),
    gasLimit: decimal(gas),
    type: Number(type),
    input: input.toLowerCase(),
    maxFeePerGas: decimal(fee),
    maxPriorityFeePerGas: tip && decimal(tip),
  };
}

export interface PoolTransaction extends PendingTransaction {
  /** True: waits for a lower nonce of the sender. */
  readonly isQueued: boolean;
}

type Pool = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

/**
 * Reads the transaction pool of a node: executable transactions before queued ones, each by descending tip.
 * @throws ApiProblem node_unavailable if no node serves its pool
 * @source geth JSON-RPC, txpool_content
 */
export async function readPool({ client }: Pick<NodeDeps, 'client'>): Promise<PoolTransaction[]> {
  const pool = await client.call<Pool | null>('txpool_content', [], { retries: 1 }).catch((error: unknown) => {
    if (error instanceof UnsupportedMethodError)
      throw new ApiProblem('node_unavailable', 'no node serves its transaction pool (method txpool_content)');
    throw stateProblem(error, 'the transaction pool');
  });
  const side = (name: 'pending' | 'queued') =>
    Object.values(pool?.[name] ?? {})
      .flatMap((byNonce) => Object.values(byNonce ?? {}))
      .flatMap((reply) => {
        const hash = typeof reply === 'object' && reply !== null ? (reply as { hash?: unknown }).hash : undefined;
        const transaction = isHash(hash) ? parsePending(hash, reply) : undefined;
        return transaction ? [{ ...transaction, isQueued: name === 'queued' }] : [];
      })
      .sort((a, b) => (getTip(a) > getTip(b) ? -1 : 1));
  return [...side('pending'), ...side('queued')];
}

const getTip = ({ maxFeePerGas, maxPriorityFeePerGas }: PendingTransaction) =>
  BigInt(maxPriorityFeePerGas ?? maxFeePerGas);

/** Remembers requested pending transactions, to report later if they were dropped. */
export class PendingMemory {
  readonly #seen = new Cache<PendingTransaction>('pending');

  remember(transaction: PendingTransaction): void {
    this.#seen.set(transaction.hash, anywhere, transaction);
  }

  recall(hash: string): PendingTransaction | undefined {
    return this.#seen.get(hash.toLowerCase(), anywhere);
  }
}
