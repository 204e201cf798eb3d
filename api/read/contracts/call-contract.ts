/** Calls contracts. Unlike askContract, returns the data of a revert. */
import { toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { stateProblem } from '../accounts/account-reader.ts';

/** Error code of a reverted call. @source execution-apis, eth_call; geth, anvil, erigon, reth, besu */
const revertCode = 3;

/** Default gas limit, so that a call cannot occupy a node. */
const maxGas = 10_000_000;
/** Error messages of failed contracts: error codes differ between nodes. */
const evmError = /revert|invalid opcode|out of gas|stack (?:under|over)flow|invalid jump|bad instruction/i;

/** Returns whether the contract reverted. The text of the contract may then look like an error of the node. */
const isRevert = ({ code, message }: NodeError) => code === revertCode || /revert/i.test(message);

interface ContractCall {
  readonly to: string;
  readonly data: string;
  readonly block: string;
  /** 0x hex; default: 10 million. */
  readonly gas?: string;
  readonly from?: string;
  /** Wei, 0x hex. */
  readonly value?: string;
}

/** `isRevert`: false for other failures, for example out of gas. */
export type CallOutcome = { readonly data: string } | { readonly revertData: string; readonly isRevert: boolean };

/**
 * @param block decimal number; empty: newest block
 * @throws ApiProblem node_unavailable, state_unavailable; bad_query if the sender lacks coins, or the default gas limit
 *   is too low
 */
export async function callContract(client: RpcClient, { block, ...call }: ContractCall): Promise<CallOutcome> {
  const tag = block === '' ? 'latest' : toQuantity(Number(block));
  const what = `the result of a call to ${call.to} at block ${block || 'latest'}`;
  const parameters = [{ gas: toQuantity(maxGas), ...call }, tag];
  const reply = await client.call<unknown>('eth_call', parameters, { retries: 1 }).catch((error: unknown) => {
    if (error instanceof NodeError && !isRevert(error) && /insufficient (funds|balance)/i.test(error.message))
      throw new ApiProblem('bad_query', 'the sender has not enough coins for the value and the gas of the call');
    if (error instanceof NodeError && (error.code === revertCode || evmError.test(error.message))) return error;
    throw stateProblem(error, what);
  });
  if (reply instanceof NodeError) {
    const { data } = reply;
    if (call.gas === undefined && !isRevert(reply) && /out of gas/i.test(reply.message))
      throw new ApiProblem(
        'bad_query',
        `the call needs more than ${maxGas.toLocaleString('en-US')} gas, the limit here`,
      );
    const revertData = typeof data === 'string' && /^0x[0-9a-f]*$/i.test(data) ? data : '0x';
    return { revertData, isRevert: isRevert(reply) };
  }
  if (typeof reply !== 'string') throw stateProblem(undefined, what);
  return { data: reply };
}
