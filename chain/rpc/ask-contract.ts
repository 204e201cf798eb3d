import { toQuantity, zeroAddress } from '../codec/hex.ts';
import { NodeError } from '../errors.ts';
import { askState } from './ask-state.ts';
import type { Call } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

const defaultGas = 5_000_000;

/** JSON-RPC error code of a reverted call. @source execution-apis, eth_call; geth, anvil, erigon, reth, besu */
const revertCode = 3;

export interface ContractQuestion {
  readonly to: string;
  readonly data: string;
  readonly block: number | string;
  /** Gas limit of the call; default 5,000,000. */
  readonly gas?: number;
}

interface AskOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a contract by eth_call.
 * @returns the contract's reply; null if the call fails or the reply is not a string
 * @throws TransportError when no node answers, or no node can run calls at the requested block
 */
export async function askContract(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
): Promise<string | null> {
  return (await callContract(client, question, options)).reply;
}

/** Like askContract. `isReverted`: the contract ended the call with an error. */
export async function callContract(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
): Promise<{ readonly reply: string | null; readonly isReverted: boolean }> {
  try {
    const asked = { ...getPlace(question), ...options };
    const reply = asText(await client.call<unknown>('eth_call', getParams(question), asked));
    return { reply, isReverted: false };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (error.code === revertCode) return { reply: null, isReverted: true };
    return { reply: await askAgain(client, question, options, error), isReverted: false };
  }
}

/**
 * Finds out whether the contract or the node caused an error: the contract, if the node can run a call to an address
 * without code.
 * @throws PrunedStateError when no node has the state of that block
 */
async function askAgain(
  client: RpcClient,
  question: ContractQuestion,
  options: AskOptions,
  first: NodeError,
): Promise<string | null> {
  const control = (tag: string) => [
    { method: 'eth_call', params: [{ to: zeroAddress, data: '0x', gas: toGas(question) }, tag] },
  ];
  const tag = getTag(question);
  await askState(client, control, tag, { ...options, ...getPlace(question) }).catch((error: unknown) => {
    throw error instanceof NodeError ? first.toTransportError() : error;
  });
  let refusals = 0;
  const endpoints = typeof question.block === 'number' ? client.onBranch : client.nearNewest;
  for (const endpoint of endpoints) {
    const once = { ...options, endpoint, retries: 0 };
    try {
      if (!(await canCall(client, control(tag), once))) continue; // else, its error says nothing about the contract
      return asText(await client.call<unknown>('eth_call', getParams(question), once));
    } catch (error) {
      if (error instanceof NodeError) refusals++;
      else if (endpoints.length === 1) throw error;
    }
  }
  if (refusals === 0) throw first.toTransportError();
  return null;
}

/** @throws TransportError */
async function canCall(
  client: RpcClient,
  calls: readonly Call[],
  options: Parameters<RpcClient['batch']>[1],
): Promise<boolean> {
  try {
    await client.batch(calls, options);
    return true;
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
}

const getPlace = ({ block }: ContractQuestion) => (typeof block === 'number' ? { minHead: block } : { isNewest: true });
const getTag = ({ block }: ContractQuestion) => (typeof block === 'number' ? toQuantity(block) : block);
const toGas = ({ gas = defaultGas }: ContractQuestion) => toQuantity(gas);
const getParams = (question: ContractQuestion) => [
  { to: question.to, data: question.data, gas: toGas(question) },
  getTag(question),
];
const asText = (reply: unknown) => (typeof reply === 'string' ? reply : null);
