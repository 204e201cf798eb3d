/** Live answers of contracts from the node, read once a block and shared by all who ask. */
import { AbiCoder, id } from 'ethers';
import { LRUCache } from 'lru-cache';
import { maxUint256 } from '#chain/codec/hex.ts';
import { decodeUint, tokenQuestions } from '#chain/codec/token-abi.ts';
import { askContract, type ContractQuestion } from '#chain/rpc/ask-contract.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { CacheCount } from '../../cache/cache-count.ts';

const tokenUriSelector = id('tokenURI(uint256)').slice(0, 10);
/** Longest token URI that is shown, characters: some contracts answer with a whole picture. */
const maxUriLength = 2_048;
export class ContractReader {
  readonly count = new CacheCount();
  readonly #cache: LRUCache<string, { reply: string | null }, ContractQuestion>;

  constructor(readonly client: RpcClient) {
    this.#cache = new LRUCache<string, { reply: string | null }, ContractQuestion>({
      max: 20_000,
      ttl: 600_000,
      fetchMethod: async (_key, _stale, { context }) => ({
        reply: await askContract(this.client, context, { retries: 1 }),
      }),
    });
  }

  /** totalSupply() at a height of which the caller knows the hash, smallest unit; null where contract or node does not say. */
  async totalSupply(token: string, block: number, blockHash: string): Promise<string | null> {
    const reply = await this.#ask(`${token}:supply:${blockHash}`, {
      to: token,
      data: tokenQuestions.totalSupply,
      block,
    });
    return decodeUint(reply, maxUint256)?.toString() ?? null;
  }

  /** tokenURI(id), seldom asked again; null where the contract does not say, or says more than anybody needs. */
  async tokenUri(token: string, tokenId: string, block: number): Promise<string | null> {
    const data = tokenUriSelector + BigInt(tokenId).toString(16).padStart(64, '0');
    const reply = await this.#ask(`${token}:uri:${tokenId}`, { to: token, data, block });
    if (reply === null || reply.length > 2 * maxUriLength + 260) return null;
    try {
      const [uri] = AbiCoder.defaultAbiCoder().decode(['string'], reply) as unknown as [string];
      return uri.length <= maxUriLength ? uri : null;
    } catch {
      return null;
    }
  }

  async #ask(key: string, context: ContractQuestion): Promise<string | null> {
    this.count.note(this.#cache.peek(key));
    const answer = await this.#cache.fetch(key, { context }).catch(() => undefined);
    return answer?.reply ?? null;
  }
}
