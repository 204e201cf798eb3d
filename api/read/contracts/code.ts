import { isHexData } from '#chain/codec/hex.ts';
import { askState } from '#chain/rpc/ask-state.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { keccak256 } from '#chain/verify/keccak.ts';
import { getFirst } from '#runtime/lists.ts';
import { stateProblem } from '../accounts/account-reader.ts';

/** Byte ranges: [offset, length]. */
export type Ranges = readonly (readonly [number, number])[];

/**
 * Reads the code at the newest block.
 * @returns 0x hex; `0x` if there is no code
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function readCode(client: RpcClient, address: string): Promise<string> {
  return getFirst(await readCodes(client, [address]));
}

/** Same as readCode(), in the order of the addresses. */
export async function readCodes(
  client: RpcClient,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (addresses.length === 0) return [];
  const what = `the code of ${addresses.length === 1 ? addresses[0] : `${addresses.length} contracts`}`;
  const calls = (tag: string) => addresses.map((address) => ({ method: 'eth_getCode', params: [address, tag] }));
  const codes = await askState(client, calls, 'latest', { retries: 2, signal }).catch((error: unknown) => {
    throw stateProblem(error, what);
  });
  return addresses.map((_, i) => {
    const code = codes[i];
    if (!isHexData(code)) throw stateProblem(undefined, what);
    return code.toLowerCase();
  });
}

/**
 * Hashes code with the bytes of the ranges (such as immutables) set to zero, so that contracts of the same source have
 * equal hashes. @returns 32 bytes, 0x hex
 */
export function hashMasked(code: string, ranges: Ranges): string {
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (const [offset, length] of ranges) bytes.fill(0, offset, offset + length);
  return `0x${Buffer.from(keccak256(bytes)).toString('hex')}`;
}
