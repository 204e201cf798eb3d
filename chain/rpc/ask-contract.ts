/** Questions to contracts that may be hostile, over nodes that may have a fault. */
import { toQuantity, zeroAddress } from '../codec/hex.ts';
import { NodeError } from '../errors.ts';
import { askState } from './ask-state.ts';
import type { RpcClient } from './rpc-client.ts';

/** Gas a call may burn: enough for honest contracts, little for the others. */
const gas = '0x4c4b40';

/** Code of a revert. @source execution-apis, eth_call; geth, anvil, erigon, reth, besu */
const revertCode = 3;

export interface ContractQuestion {
  readonly to: string;
  readonly data: string;
  /** Height, or a tag such as latest. */
  readonly block: number | string;
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
    return textOf(
      await client.call<unknown>('eth_call', paramsOf(question), { minHead: heightOf(question), ...options }),
    );
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return error.code === revertCode ? null : askAgain(client, question, options, error);
  }
}

/**
 * Of other failures than a revert the code doesn't tell whose they are, and the words may be the contract's. So the nodes are
 * asked for what can't fail, a call of an address without code at the same height: where one answers that, what fails
 * there is the contract's.
 * @throws PrunedStateError where no node has the state of that height
 */
async function askAgain(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
  first: NodeError,
): Promise<string | null> {
  const control = (tag: string) => [{ method: 'eth_call', params: [{ to: zeroAddress, data: '0x', gas }, tag] }];
  const { tag, retries } = { tag: tagOf(question), retries: options.retries };
  await askState(client, control, tag, { retries, minHead: heightOf(question) }).catch((error: unknown) => {
    throw error instanceof NodeError ? first.asFault() : error;
  });
  let refusals = 0;
  for (const endpoint of client.endpoints) {
    try {
      await client.batch(control(tag), { ...options, endpoint, retries: 0 });
      return textOf(await client.call<unknown>('eth_call', paramsOf(question), { ...options, endpoint, retries: 0 }));
    } catch (error) {
      if (error instanceof NodeError) refusals++;
      else if (client.endpoints.length === 1) throw error;
    }
  }
  if (refusals === 0) throw first.asFault();
  return null;
}

const heightOf = ({ block }: ContractQuestion) => (typeof block === 'number' ? block : -1);
const tagOf = ({ block }: ContractQuestion) => (typeof block === 'number' ? toQuantity(block) : block);
const paramsOf = (question: ContractQuestion) => [{ to: question.to, data: question.data, gas }, tagOf(question)];
const textOf = (reply: unknown) => (typeof reply === 'string' ? reply : null);
