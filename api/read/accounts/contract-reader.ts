/** Calls view functions of token contracts, and caches the answers per block. */
import { maxUint256 } from '#chain/codec/hex.ts';
import { decodeString, decodeUint, tokenQuestions, uriQuestion } from '#chain/codec/token-abi.ts';
import { askContract, type ContractQuestion } from '#chain/rpc/ask-contract.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { anywhere, Cache } from '../../cache/cache.ts';

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
    standard: 'erc721' | 'erc1155',
    block: number,
  ): Promise<string | null> {
    const data = uriQuestion(standard, tokenId);
    const reply = await this.#ask(`${token}:uri:${tokenId}`, { to: token, data, block });
    if (reply === null || reply.length > 2 * maxUriLength + 260) return null;
    const uri = decodeString(reply);
    return uri !== null && uri.length <= maxUriLength ? uri : null;
  }

  #ask(key: string, question: ContractQuestion): Promise<string | null> {
    const ask = () => askContract(this.client, question, { retries: 1 });
    return this.#cache.of(key, anywhere, ask).catch(() => null);
  }
}
