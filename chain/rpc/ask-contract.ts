/** Questions to contracts that may be hostile. */
import { toQuantity } from '../codec/hex.ts';
import { NodeError } from '../errors.ts';
import type { RpcClient } from './rpc-client.ts';

/** Gas a call may burn: enough for honest contracts, little for the others. */
const gas = '0x4c4b40';

export interface ContractQuestion {
  readonly to: string;
  readonly data: string;
  readonly block: number;
}

/**
 * eth_call at a height, with a bound on gas.
 * @returns null where the contract reverts, or the node answers no text
 * @throws TransportError when no node answers
 */
export async function askContract(
  client: RpcClient,
  { to, data, block }: ContractQuestion,
  options: { readonly retries: number; readonly signal?: AbortSignal },
): Promise<string | null> {
  try {
    const params = [{ to, data, gas }, toQuantity(block)];
    const reply = await client.call<unknown>('eth_call', params, { minHead: block, ...options });
    return typeof reply === 'string' ? reply : null;
  } catch (error) {
    if (error instanceof NodeError) return null;
    throw error;
  }
}
