/** Node that replies from memory, so that benches of the pipeline don't measure the time of a node. */
import { createServer, type Server } from 'node:http';
import type { RecordedBlock } from './record.ts';

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface LogFilter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

interface ReplayLog {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Answers eth_getLogs, which other indexers need. Parses the receipts of a block once. */
class ReplayLogs {
  readonly #parsed = new Map<number, readonly ReplayLog[]>();
  readonly chain: readonly RecordedBlock[];
  readonly byHash: ReadonlyMap<string, number>;

  constructor(chain: readonly RecordedBlock[], byHash: ReadonlyMap<string, number>) {
    this.chain = chain;
    this.byHash = byHash;
  }

  find({ fromBlock, toBlock, blockHash, address, topics = [] }: LogFilter): string {
    const own = blockHash === undefined ? undefined : this.byHash.get(blockHash);
    if (blockHash !== undefined && own === undefined) return '[]';
    const head = this.chain.length - 1;
    const getNumber = (block: string | undefined, fallback: number) =>
      block?.startsWith('0x') ? Number(block) : fallback;
    const from = own ?? getNumber(fromBlock, 0);
    const to = own ?? Math.min(getNumber(toBlock, head), head);
    const addresses = address === undefined ? undefined : new Set([address].flat().map((one) => one.toLowerCase()));
    const accepted = topics.map((topic) => (topic === null ? undefined : new Set([topic].flat())));
    const found: ReplayLog[] = [];
    for (let number = from; number <= to; number++)
      for (const log of this.#getLogs(number))
        if (
          (addresses?.has(log.address.toLowerCase()) ?? true) &&
          accepted.every((set, i) => set?.has(log.topics[i] ?? '') ?? true)
        )
          found.push(log);
    return JSON.stringify(found);
  }

  #getLogs(number: number): readonly ReplayLog[] {
    const known = this.#parsed.get(number);
    if (known) return known;
    const receipts = JSON.parse(this.chain[number]?.receipts ?? '[]') as { logs: ReplayLog[] }[];
    const logs = receipts.flatMap((receipt) => receipt.logs);
    this.#parsed.set(number, logs);
    return logs;
  }
}

export interface ReplayOptions {
  readonly chain: readonly RecordedBlock[];
  readonly port: number;
  readonly chainId?: number;
  /** Delay of each HTTP request, ms. */
  readonly latencyMs?: number;
}

export function startReplayServer({ chain, port, chainId = 271828, latencyMs = 0 }: ReplayOptions): Promise<Server> {
  const byHash = new Map(chain.map(({ hash }, number) => [hash, number]));
  const head = chain.length - 1;
  const logs = new ReplayLogs(chain, byHash);
  const find = (id: unknown): RecordedBlock | undefined => {
    if (id === 'latest') return chain[head];
    if (id === 'finalized' || id === 'safe') return chain[Math.max(0, head - 64)];
    const text = String(id);
    return chain[text.length === 66 ? (byHash.get(text) ?? -1) : Number(text)];
  };
  const answer = ({ method, params }: Request): string => {
    if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') return find(params[0])?.block ?? 'null';
    if (method === 'eth_getBlockReceipts') return find(params[0])?.receipts ?? 'null';
    if (method === 'eth_getLogs') return logs.find(params[0] as LogFilter);
    if (method === 'eth_chainId') return `"0x${chainId.toString(16)}"`;
    if (method === 'eth_blockNumber') return `"0x${head.toString(16)}"`;
    return 'null';
  };
  const reply = (request: Request) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${answer(request)}}`;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Request | Request[];
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const text = Array.isArray(body) ? `[${body.map(reply).join(',')}]` : reply(body);
    response.setHeader('Content-Type', 'application/json');
    response.end(Buffer.from(text, 'latin1'));
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
