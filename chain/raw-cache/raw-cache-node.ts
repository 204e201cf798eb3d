import { zeroHash } from '#chain/codec/hex.ts';
import type { Call } from '../rpc/endpoint.ts';
import type { Transport } from '../rpc/transport-http.ts';
import type { RawBlock, WireBlock } from '../rpc/wire-types.ts';
import type { RawCache } from './raw-cache.ts';

interface CachedChain {
  readonly id: number;
  /** Hash of block 0; zeros if unknown. */
  readonly genesis: string;
  readonly first: number;
  /** Reply to eth_blockNumber. */
  readonly head: number;
}

type Request = Call & { readonly id: unknown };

const rememberedHashes = 4_096;

/** Replaces a node: answers JSON-RPC calls from cached blocks. */
export class RawCacheNode implements Transport {
  readonly #numbers = new Map<string, number>();
  #missing: number | undefined;
  readonly cache: RawCache;
  readonly chain: CachedChain;

  constructor(cache: RawCache, chain: CachedChain) {
    this.cache = cache;
    this.chain = chain;
  }

  async post(body: string): Promise<Uint8Array> {
    const request = JSON.parse(body) as Request | Request[];
    const reply = Array.isArray(request)
      ? await Promise.all(request.map((one) => this.#reply(one)))
      : await this.#reply(request);
    return Buffer.from(JSON.stringify(reply));
  }

  async close(): Promise<void> {}

  /** First requested block whose cache file is damaged or missing. */
  get missing(): number | undefined {
    return this.#missing;
  }

  async #reply({ id, method, params }: Request): Promise<unknown> {
    const result = await this.#answer(method, params);
    if (result === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `the method ${method} is not available` } };
    return { jsonrpc: '2.0', id, result };
  }

  /** Undefined if only a node can answer the method. */
  async #answer(method: string, [first, second]: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return `0x${this.chain.id.toString(16)}`;
      case 'eth_blockNumber':
        return `0x${this.chain.head.toString(16)}`;
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash':
        return withTransactions((await this.#read(first))?.[0] ?? this.#getGenesis(first), second === true);
      case 'eth_getBlockReceipts':
        return (await this.#read(first))?.[1] ?? null;
      default:
        return undefined;
    }
  }

  /** Creates a header of block 0, to compare the genesis hash. */
  #getGenesis(at: unknown): WireBlock | null {
    if (at !== '0x0' || /^0x0*$/.test(this.chain.genesis)) return null;
    const header = { number: '0x0', hash: this.chain.genesis, parentHash: zeroHash, timestamp: '0x0' };
    return { ...header, transactions: [] } as unknown as WireBlock;
  }

  async #read(at: unknown): Promise<RawBlock | undefined> {
    const number = at === 'latest' ? this.chain.head : (this.#numbers.get(String(at)) ?? Number(at));
    if (!Number.isSafeInteger(number) || number > this.chain.head) return undefined;
    const [raw] = (await this.cache.read({ fromBlock: number, toBlock: number })) ?? [];
    if (raw?.[0]) this.#remember(raw[0].hash, number);
    else if (number >= this.chain.first) this.#missing ??= number;
    return raw;
  }

  /** Remembers only recent hashes: the pipeline requests no other block by hash. */
  #remember(hash: string, number: number): void {
    this.#numbers.set(hash.toLowerCase(), number);
    if (this.#numbers.size <= rememberedHashes) return;
    for (const oldest of this.#numbers.keys()) {
      this.#numbers.delete(oldest);
      break;
    }
  }
}

function withTransactions(block: WireBlock | null, isFull: boolean): unknown {
  if (block === null || isFull || !Array.isArray(block.transactions)) return block;
  return { ...block, transactions: block.transactions.map(({ hash }) => hash) };
}
