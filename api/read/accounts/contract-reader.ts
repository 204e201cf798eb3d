/** Calls view functions of token contracts, and caches the answers per block. */
import { AbiCoder, id } from 'ethers';
import { maxUint256 } from '#chain/codec/hex.ts';
import { decodeUint, tokenQuestions } from '#chain/codec/token-abi.ts';
import { askContract, type ContractQuestion } from '#chain/rpc/ask-contract.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { anywhere, Cache } from '../../cache/cache.ts';

const uriSelectors = {
  erc721: id('tokenURI(uint256)').slice(0, 10),
  erc1155: id('uri(uint256)').slice(0, 10),
} as const;
/** Maximum length of a token URI, characters: some contracts embed a complete image in it. */
const maxUriLength = 2_048;
export class ContractReader {
  readonly #cache = new Cache<string | null>('contracts');
  readonly client: RpcClient;

  constructor(client: RpcClient) {
    this.client = client;
  }

  /** Returns the supply in the smallest unit; null if the contract does not answer. */
  async totalSupply(token: string, block: number, blockHash: string): Promise<string | null> {
    const reply = await this.#ask(`${token}:supply:${blockHash}`, {
      to: token,
      data: tokenQuestions.totalSupply,
      block,
    });
    return decodeUint(reply, maxUint256)?.toString() ?? null;
  }

  /** Returns the token's metadata URI; null if the contract has none, or one longer than `maxUriLength`. */
  async tokenUri(
    token: string,
    tokenId: string,
    standard: keyof typeof uriSelectors,
    block: number,
  ): Promise<string | null> {
    const data = uriSelectors[standard] + BigInt(tokenId).toString(16).padStart(64, '0');
    const reply = await this.#ask(`${token}:uri:${tokenId}`, { to: token, data, block });
    if (reply === null || reply.length > 2 * maxUriLength + 260) return null;
    try {
      const [uri] = AbiCoder.defaultAbiCoder().decode(['string'], reply) as unknown as [string];
      return uri.length <= maxUriLength ? uri : null;
    } catch {
      return null;
    }
  }

  #ask(key: string, question: ContractQuestion): Promise<string | null> {
    const ask = () => askContract(this.client, question, { retries: 1 });
    return this.#cache.of(key, anywhere, ask).catch(() => null);
  }
}
