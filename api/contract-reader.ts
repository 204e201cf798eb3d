/** Live answers of contracts from the node, read once a block and shared by all who ask. */
import { AbiCoder, id } from 'ethers';
import { LRUCache } from 'lru-cache';
import { toQuantity } from '#chain/codec/hex.ts';
import { decodeUint, tokenQuestions } from '#chain/codec/token-abi.ts';
import { NodeError } from '#chain/errors.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';

const maxUint256 = (1n << 256n) - 1n;
const tokenUriSelector = id('tokenURI(uint256)').slice(0, 10);
/** Longest token URI that is shown, characters: some contracts answer with a whole picture. */
const maxUriLength = 2_048;
/** Gas a call may burn: enough for honest contracts, little for the others. */
const gas = '0x4c4b40';

interface Question {
  readonly to: string;
  readonly data: string;
  readonly block: number;
}

export class ContractReader {
  readonly #cache: LRUCache<string, { reply: string | null }, Question>;

  constructor(readonly client: RpcClient) {
    this.#cache = new LRUCache<string, { reply: string | null }, Question>({
      max: 20_000,
      ttl: 600_000,
      fetchMethod: async (_key, _stale, { context }) => ({ reply: await this.#call(context) }),
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

  async #ask(key: string, context: Question): Promise<string | null> {
    const answer = await this.#cache.fetch(key, { context }).catch(() => undefined);
    return answer?.reply ?? null;
  }

  /** Null where the contract reverts. @throws TransportError when no node answers: not kept */
  async #call({ to, data, block }: Question): Promise<string | null> {
    try {
      const params = [{ to, data, gas }, toQuantity(block)];
      const reply = await this.client.call<unknown>('eth_call', params, { minHead: block, retries: 1 });
      return typeof reply === 'string' ? reply : null;
    } catch (error) {
      if (error instanceof NodeError) return null;
      throw error;
    }
  }
}
