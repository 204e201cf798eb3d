/** Questions to contracts that may be hostile, over nodes that may have a fault. */
import { toQuantity, zeroAddress } from '../codec/hex.ts';
import { NodeError, TransportError } from '../errors.ts';
import type { RpcClient } from './rpc-client.ts';

/** Gas a call may burn: enough for honest contracts, little for the others. */
const gas = '0x4c4b40';

/** Code of a revert. @source execution-apis, eth_call; geth, anvil, erigon, reth, besu */
const revertCode = 3;

export interface ContractQuestion {
  readonly to: string;
  readonly data: string;
  readonly block: number;
}

interface AskOptions {
  readonly retries: number;
  readonly signal?: AbortSignal;
}

/**
 * eth_call at a height, with a bound on gas.
 * @returns null where the contract fails, or the node answers no text
 * @throws TransportError when no node answers, or none can run calls at this height: the same question may be answered later
 */
export async function askContract(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
): Promise<string | null> {
  try {
    return textOf(await client.call<unknown>('eth_call', paramsOf(question), { minHead: question.block, ...options }));
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return error.code === revertCode ? null : askAgain(client, question, options, error);
  }
}

/**
 * Of other failures than a revert the code doesn't tell whose they are, and the words may be the contract's. So the node is
 * asked for what can't fail, a call of an address without code at the same height: who answers that is asked once more, and
 * what fails there is the contract's.
 */
async function askAgain(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
  first: NodeError,
): Promise<string | null> {
  const control = { method: 'eth_call', params: paramsOf({ to: zeroAddress, data: '0x', block: question.block }) };
  const { endpoint } = await client.batch([control], { minHead: question.block, ...options }).catch((error) => {
    if (error instanceof NodeError) throw new TransportError('node_fault', first.message);
    throw error;
  });
  try {
    return textOf(await client.call<unknown>('eth_call', paramsOf(question), { ...options, endpoint, retries: 0 }));
  } catch (error) {
    if (error instanceof NodeError) return null;
    throw error;
  }
}

const paramsOf = ({ to, data, block }: ContractQuestion) => [{ to, data, gas }, toQuantity(block)];
const textOf = (reply: unknown) => (typeof reply === 'string' ? reply : null);
