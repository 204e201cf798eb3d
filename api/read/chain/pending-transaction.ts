/** Transactions that a node has, but no block. A node's reply can be anything, so each field is checked. */
import { isAddress, isHash, isQuantity } from '#chain/codec/hex.ts';
import { anywhere, Cache } from '../../cache/cache.ts';

export interface PendingTransaction {
  readonly hash: string;
  readonly sender: string;
  readonly to: string | null;
  readonly nonce: number;
  /** Wei, decimal, like all amounts. */
  readonly value: string;
  readonly gasLimit: string;
  readonly type: number;
  readonly input: string;
  /** Most that the sender pays, wei per gas. */
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string | null;
}

/** @returns undefined if the reply is no transaction of this hash */
export function parsePending(hash: string, reply: unknown): PendingTransaction | undefined {
  const tx = (reply ?? {}) as Record<string, unknown>;
  const { from, to = null, nonce, value, gas, input = tx['data'], type = '0x0' } = tx;
  const fee = tx['maxFeePerGas'] ?? tx['gasPrice'];
  const tip = tx['maxPriorityFeePerGas'] ?? null;
  if (!isHash(tx['hash']) || tx['hash'].toLowerCase() !== hash.toLowerCase()) return undefined;
  if (!isAddress(from) || !(to === null || isAddress(to)) || typeof input !== 'string') return undefined;
  if (!/^0x([0-9a-f]{2})*$/i.test(input) || !(tip === null || isQuantity(tip))) return undefined;
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

/** Remembers the pending transactions that clients asked for, so that the service can say later that one was dropped. */
export class PendingMemory {
  readonly #seen = new Cache<PendingTransaction>('pending');

  remember(transaction: PendingTransaction): void {
    this.#seen.set(transaction.hash, anywhere, transaction);
  }

  recall(hash: string): PendingTransaction | undefined {
    return this.#seen.get(hash.toLowerCase(), anywhere);
  }
}
