import { type TokenQuestion, tokenQuestions } from '../codec/token-abi.ts';
import { askContract } from './ask-contract.ts';
import type { RpcClient } from './rpc-client.ts';

const maxReplyDigits = 4_096;

interface TokenPlace {
  readonly token: string;
  readonly block: number;
}

/**
 * Reads the metadata of a token contract.
 * @returns the replies, 0x hex; null if the contract reverts or has no code, or a reply is too long
 * @throws as askContract
 */
export async function askToken<Q extends TokenQuestion>(
  client: RpcClient,
  { token, block }: TokenPlace,
  names: readonly Q[],
  signal?: AbortSignal,
): Promise<Record<Q, string | null>> {
  const ask = async (name: Q) => {
    const reply = await askContract(client, { to: token, data: tokenQuestions[name], block }, { retries: 2, signal });
    return [name, reply !== null && reply !== '0x' && reply.length <= maxReplyDigits ? reply : null] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(ask))) as Record<Q, string | null>;
}
