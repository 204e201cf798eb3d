import { maxUint256, readTopicAddress, toQuantity } from '#chain/codec/hex.ts';
import { balanceQuestion, decodeUint } from '#chain/codec/token-abi.ts';
import { callContract } from '#chain/rpc/ask-contract.ts';
import { askState } from '#chain/rpc/ask-state.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { NodeDeps } from '../reader-deps.ts';

export interface Holding {
  readonly account: string;
  readonly token: string;
  readonly standard: string;
  /** Decimal. */
  readonly tokenId: string;
}

type Client = NodeDeps['client'];

const callsAtOnce = 16;
/**
 * With more silent contracts than this, the remaining ones are skipped, because their calls take a node the longest.
 */
const maxSilent = 10;

/**
 * Returns balances after a block from the contracts, smallest unit; null if a contract does not answer. With more than
 * `maxSilent` such contracts, skips the remaining ones: `isComplete` is then false.
 * @throws TransportError, PrunedStateError if no node ran the calls
 * @source ERC-721 ownerOf, which fails for a token id without owner
 */
export async function readNodeBalances(
  client: Client,
  holdings: readonly Holding[],
  block: number,
): Promise<{ readonly amounts: readonly (string | null)[]; readonly isComplete: boolean }> {
  const balances: (string | null)[] = [];
  for (const some of splitIntoChunks(holdings, callsAtOnce)) {
    if (balances.filter((balance) => balance === null).length > maxSilent) break;
    balances.push(...(await Promise.all(some.map((holding) => readNodeBalance(client, holding, block)))));
  }
  return { amounts: holdings.map((_, i) => balances[i] ?? null), isComplete: balances.length === holdings.length };
}

async function readNodeBalance(client: Client, holding: Holding, block: number): Promise<string | null> {
  const { token, standard, account, tokenId } = holding;
  const question = { to: token, data: balanceQuestion(standard, account, tokenId), block };
  const { reply, isReverted } = await callContract(client, question, { retries: 0 });
  if (reply === '0x') return (await hasCode(client, token, block)) ? null : '0';
  if (standard !== 'erc721') return decodeUint(reply, maxUint256)?.toString() ?? null;
  if (reply === null) return isReverted ? '0' : null;
  return readTopicAddress(reply.slice(0, 66)) === account ? '1' : '0';
}

async function hasCode(client: Client, address: string, block: number): Promise<boolean> {
  const calls = (tag: string) => [{ method: 'eth_getCode', params: [address, tag] }];
  const [code] = await askState(client, calls, toQuantity(block), { retries: 2, minHead: block });
  return code !== '0x';
}
