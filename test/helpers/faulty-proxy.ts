import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Random } from '#devchain/random.ts';
import { freePort } from './processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are taken apart to be broken
export type Json = any;

export interface Exchange {
  readonly calls: { id: unknown; method: string; params: Json[] }[];
  /** Replies in call order. The fault may change them in place. */
  replies: Json[];
  readonly isBatch: boolean;
  readonly body: string;
  readonly response: ServerResponse;
  readonly random: Random;
}

/**
 * Result of a fault: 'changed' after changing replies, 'answered' after replying itself, 'untouched' if it found
 * nothing to change.
 */
export type Fault = (exchange: Exchange) => Outcome | Promise<Outcome>;
type Outcome = 'untouched' | 'changed' | 'answered';

export interface FaultyProxy {
  readonly url: string;
  injected(): number;
  setFault(fault: Fault | null, budget?: number): void;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  readonly target: string;
  readonly random: Random;
  readonly fault: Fault | null;
  readonly share: number;
  readonly budget: number;
  readonly rewrite?: (params: Json[]) => Json[];
  readonly view?: (reply: Json) => Json;
}

export async function startFaultyProxy(options: ProxyOptions): Promise<FaultyProxy> {
  let { fault, budget } = options;
  let injected = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const parsed = JSON.parse(body);
    const isBatch = Array.isArray(parsed);
    const { rewrite = (params: Json[]) => params, view = (reply: Json) => reply } = options;
    const passed = (call: Json) => ({ ...call, params: rewrite(call.params) });
    const sent = JSON.stringify(isBatch ? parsed.map(passed) : passed(parsed));
    const told = (await (
      await fetch(options.target, { method: 'POST', body: sent, headers: { 'content-type': 'application/json' } })
    ).json()) as Json;
    const answer = isBatch ? told.map(view) : view(told);
    const exchange: Exchange = {
      calls: isBatch ? parsed : [parsed],
      replies: isBatch ? answer : [answer],
      isBatch,
      body,
      response,
      random: options.random,
    };
    let outcome: Outcome = 'untouched';
    if (fault && budget > 0 && options.random.chance(options.share)) outcome = await fault(exchange);
    if (outcome !== 'untouched') {
      injected++;
      budget--;
    }
    if (outcome === 'answered') return;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(isBatch ? exchange.replies : exchange.replies[0]));
  };
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    injected: () => injected,
    setFault: (next, nextBudget = Number.POSITIVE_INFINITY) => {
      fault = next;
      budget = nextBudget;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a proxy that applies a fault to each request. */
export const startFaultyNode = (target: string, fault: Fault): Promise<FaultyProxy> =>
  startFaultyProxy({ target, fault, random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY });

/** Starts a node that answers but imports no blocks. */
export const startStuckNode = (target: string): Promise<FaultyProxy> =>
  startFaultyNode(target, ({ calls, replies }) => {
    if (calls[0]?.method !== 'eth_blockNumber') return 'untouched';
    replies[0].result = '0x1';
    return 'changed';
  });
