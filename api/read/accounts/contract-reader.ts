/** Calls token contracts and caches the replies. */
import { maxUint256 } from '#chain/codec/hex.ts';
import { decodeString, decodeUint, tokenQuestions, uriQuestion } from '#chain/codec/token-abi.ts';
import { askContract, type ContractQuestion } from '#chain/rpc/ask-contract.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { stateProblem } from './account-reader.ts';

/** Maximum length of a token URI, characters. Some URIs contain an image. */
const maxUriLength = 2_048;
export class ContractReader {
  readonly #cache = new Cache<string | null>('contracts');
  readonly client: RpcClient;

  constructor(client: RpcClient) {
    this.client = client;
  }

  /**
   * Returns the supply in the smallest unit; null if the contract does not answer.
   * @throws ApiProblem node_unavailable, state_unavailable if no node ran the call
   */
  async totalSupply(token: string, block: number, blockHash: string): Promise<string | null> {
    const reply = await this.#ask(`${token}:supply:${blockHash}`, {
      to: token,
      data: tokenQuestions.totalSupply,
      block,
    });
    return decodeUint(reply, maxUint256)?.toString() ?? null;
  }

  /**
   * Returns the metadata URI; null if it is missing or longer than `maxUriLength`.
   * @throws ApiProblem node_unavailable, state_unavailable if no node ran the call
   */
  async tokenUri(
    token: string,
    tokenId: string,
    standard: 'erc721' | 'erc1155',
    block: number,
  ): Promise<string | null> {
    const data = uriQuestion(standard, tokenId);
    const reply = await this.#ask(`${token}:uri:${standard}:${tokenId}`, { to: token, data, block });
    if (reply === null || reply.length > 2 * maxUriLength + 260) return null;
    const uri = decodeString(reply);
    return uri !== null && uri.length <= maxUriLength ? uri : null;
  }

  #ask(key: string, question: ContractQuestion): Promise<string | null> {
    const ask = () => askContract(this.client, question, { retries: 1 });
    return this.#cache.of(key, anywhere, ask).catch((error: unknown) => {
      throw stateProblem(error, 'the reply of the contract');
    });
  }
}
