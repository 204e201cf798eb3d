/** Reads balance, nonce and code of accounts from a node. Caches them per block. */
import { isQuantity, toQuantity } from '#chain/codec/hex.ts';
import { FutureBlockError, NodeError, PrunedStateError } from '#chain/errors.ts';
import { askState } from '#chain/rpc/ask-state.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { getFirst, splitIntoChunks } from '#runtime/lists.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { ApiProblem } from '../../terms/errors.ts';

type AccountType = 'eoa' | 'contract' | 'eip7702';

interface LiveAccount {
  /** Balance in wei, decimal. */
  readonly balance: string;
  readonly nonce: number;
  readonly code: { readonly size: number; readonly hash: string } | null;
  readonly type: AccountType;
  readonly block: number;
}

/** Code of a delegated account: 0xef0100 and the address of the delegate. @source EIP-7702 */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/** A batch also requests the block. Some nodes accept at most 100 calls per batch. */
const balancesPerBatch = 99;

export class AccountReader {
  readonly #cache = new Cache<LiveAccount>('accounts');
  readonly client: RpcClient;

  constructor(client: RpcClient) {
    this.client = client;
  }

  /** @throws ApiProblem node_unavailable (also if the node has another block at this height), state_unavailable */
  async read(address: string, block: number, blockHash: string): Promise<LiveAccount> {
    const fetch = () => this.#fetch(address, block, blockHash);
    return this.#cache.of(`${address}@${block}@${blockHash}`, anywhere, fetch).catch((error: unknown) => {
      throw stateProblem(error, `the state of ${address} at block ${block}`);
    });
  }

  async balance(address: string, tag: string, blockHash?: string): Promise<string> {
    return getFirst(await this.balances([address], tag, blockHash));
  }

  /**
   * Returns balances in wei, decimal.
   * @param blockHash hash that the block must have on the queried node
   * @throws ApiProblem node_unavailable, state_unavailable
   */
  async balances(addresses: readonly string[], tag: string, blockHash?: string): Promise<string[]> {
    const balances: string[] = [];
    // with a tag like `latest`, a node may answer each call at another block: a transfer would count twice or never
    const at = addresses.length > 1 ? await this.#findNumber(tag) : tag;
    for (const some of splitIntoChunks(addresses, balancesPerBatch)) {
      const calls = (block: string) => some.map((address) => ({ method: 'eth_getBalance', params: [address, block] }));
      const results = await this.#ask(calls, at, {
        retries: 2,
        blockHash,
        ...(at !== tag && { minHead: Number(at) }),
      }).catch((error: unknown) => {
        throw stateProblem(error, `balances at block ${tag}`);
      });
      if (!results.every(isQuantity)) throw stateProblem(undefined, `balances at block ${tag}`);
      balances.push(...results.map((balance) => BigInt(balance as string).toString()));
    }
    return balances;
  }

  async #fetch(address: string, block: number, blockHash: string): Promise<LiveAccount> {
    const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
    const calls = (tag: string) => methods.map((method) => ({ method, params: [address, tag] }));
    const results = await this.#ask(calls, toQuantity(block), { minHead: block, retries: 2, blockHash });
    const [balance, nonce, code] = results as [string, string, string];
    return {
      balance: BigInt(balance).toString(),
      nonce: Number(nonce),
      code: code === '0x' ? null : { size: (code.length - 2) / 2, hash: keccak256Hex(code) },
      type: code === '0x' ? 'eoa' : delegation.test(code) ? 'eip7702' : 'contract',
      block,
    };
  }

  /** Converts a block tag to a hex number, except `pending`, which has no number. */
  async #findNumber(tag: string): Promise<string> {
    if (isQuantity(tag) || tag === 'pending') return tag;
    const call = (at: string) => [{ method: 'eth_getBlockByNumber', params: [at, false] }];
    const options = { retries: 2, blockHash: undefined };
    const [block] = await this.#ask(call, tag, options).catch((error: unknown) => {
      throw stateProblem(error, `block ${tag}`);
    });
    const number = (block as { readonly number?: unknown } | null)?.number;
    if (!isQuantity(number)) throw stateProblem(undefined, `block ${tag}`);
    return number;
  }

  /**
   * Requests state by block number, with the block in the same batch, because the node may be on another branch. Not
   * all nodes support requests by block hash (EIP-1898).
   */
  async #ask(
    calls: Parameters<typeof askState>[1],
    tag: string,
    { blockHash, ...options }: StateOptions,
  ): Promise<unknown[]> {
    if (blockHash === undefined) return askState(this.client, calls, tag, options);
    const withBlock = (at: string) => [...calls(at), { method: 'eth_getBlockByNumber', params: [at, false] }];
    const results = await askState(this.client, withBlock, tag, options);
    const block = results.pop() as { readonly hash?: unknown } | null;
    if (block?.hash !== blockHash) throw new Error(`the node has another block ${tag} than ${blockHash}`);
    return results;
  }
}

interface StateOptions {
  readonly retries: number;
  readonly minHead?: number;
  readonly blockHash: string | undefined;
}

/** Returns state_unavailable if the nodes have deleted the state, else node_unavailable. */
export function stateProblem(error: unknown, what: string): ApiProblem {
  if (error instanceof FutureBlockError)
    return new ApiProblem('node_unavailable', `no node has ${what}: the nodes do not have that block yet`);
  if (error instanceof PrunedStateError || error instanceof NodeError)
    return new ApiProblem('state_unavailable', `no node has ${what}: the nodes no longer keep the state of that block`);
  return new ApiProblem('node_unavailable', `no node returned ${what}`);
}
