/** Calls a contract and returns also the data of a revert, which askContract leaves out. */
import { toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { stateProblem } from '../accounts/account-reader.ts';

/** Code of the error for a reverted call. @source execution-apis, eth_call; geth, anvil, erigon, reth, besu */
const revertCode = 3;

interface ContractCall {
  readonly to: string;
  readonly data: string;
  readonly block: string;
  readonly from?: string;
  /** Wei, 0x hex. */
  readonly value?: string;
}

export type CallOutcome = { readonly data: string } | { readonly revertData: string };

/**
 * Runs a call on a node. @param block block number, decimal; empty: the newest block
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function callContract(client: RpcClient, { block, ...call }: ContractCall): Promise<CallOutcome> {
  const tag = block === '' ? 'latest' : toQuantity(Number(block));
  const what = `the result of a call to ${call.to} at block ${block || 'latest'}`;
  const reply = await client.call<unknown>('eth_call', [call, tag], { retries: 1 }).catch((error: unknown) => {
    if (error instanceof NodeError && error.code === revertCode) return error;
    throw stateProblem(error, what);
  });
  if (reply instanceof NodeError) return { revertData: typeof reply.data === 'string' ? reply.data : '0x' };
  if (typeof reply !== 'string') throw stateProblem(undefined, what);
  return { data: reply };
}
