import { WebSocket } from 'ws';
import { askEach } from '#runtime/ask-each.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import type { Endpoint } from './endpoint.ts';
import { NodeLog } from './node-log.ts';
import type { RpcClient } from './rpc-client.ts';

interface WatchHeadsOptions {
  readonly client: RpcClient;
  readonly wsUrl: string | undefined;
  readonly pollIntervalMs: number;
  readonly signal: AbortSignal;
  readonly onHead: () => void;
  readonly log?: Log;
  /** Time without a block after which the WebSocket counts as silent, ms (default 30 s). */
  readonly silentMs?: number;
}

const defaultSilentMs = 30_000;
/** How long the socket may take to deliver a block that polls found, ms. */
const graceMs = 5_000;

/**
 * Watches for new blocks until the signal aborts. Polls ten times more slowly while the WebSocket delivers blocks.
 * Opens another socket if a silent one misses a block that polls find.
 */
export async function watchHeads(options: WatchHeadsOptions): Promise<void> {
  const nodes = new NodeLog(options.log);
  const socket = options.wsUrl ? subscribe(options.wsUrl, nodes, options) : undefined;
  while (!options.signal.aborted) {
    const before = Math.max(...options.client.endpoints.map((endpoint) => endpoint.head));
    await refreshHeads(options.client, options.signal);
    if (!options.signal.aborted) nodes.note(options.client.endpoints);
    const isNew = Math.max(...options.client.endpoints.map((endpoint) => endpoint.head)) !== before;
    socket?.notePoll(isNew);
    if (isNew || !socket?.isFresh()) options.onHead();
    await pause(socket?.isFresh() ? options.pollIntervalMs * 10 : options.pollIntervalMs, options.signal);
  }
}

const late = new WeakSet<Endpoint>();

/** Reads the newest block number of every endpoint. Without a timely answer, keeps the old number. */
export async function refreshHeads(client: RpcClient, signal?: AbortSignal): Promise<void> {
  await askEach(
    client.endpoints,
    async (endpoint) => {
      const [head] = await endpoint.send([{ method: 'eth_blockNumber', params: [] }], signal);
      const number = Number(head);
      if (typeof head !== 'string' || !Number.isSafeInteger(number)) return undefined;
      endpoint.setHead(number);
      return number;
    },
    { late },
  );
}

interface HeadSocket {
  isFresh(): boolean;
  /** Opens another socket if this one misses a block for more than 5 s after a poll found it. */
  notePoll(isNew: boolean): void;
}

function subscribe(url: string, nodes: NodeLog, options: WatchHeadsOptions): HeadSocket {
  const { signal, onHead, client, silentMs = defaultSilentMs } = options;
  let lastMessageAt = Number.NEGATIVE_INFINITY;
  /** When a poll first found a block that the silent socket missed; undefined since its last block. */
  let missedAt: number | undefined;
  let current: WebSocket | undefined;
  let pauseMs = 500;
  const open = () => {
    if (signal.aborted) return;
    const socket = new WebSocket(url, { maxPayload: 1 << 20, handshakeTimeout: 10_000 });
    [current, missedAt] = [socket, undefined];
    const stop = () => socket.terminate();
    signal.addEventListener('abort', stop, { once: true });
    socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'));
    socket.on('message', (data) => {
      const head = headNumber(data.toString());
      if (head === undefined) return;
      [lastMessageAt, missedAt] = [performance.now(), undefined];
      nodes.noteSocketHead();
      pauseMs = 500;
      const first = client.endpoints[0];
      if (first && head > first.head && client.endpoints.length === 1) first.setHead(head);
      onHead();
    });
    // the handler of the event 'close' reopens the socket
    socket.on('error', (error) => signal.aborted || nodes.noteSocketError(error));
    socket.on('close', () => {
      signal.removeEventListener('abort', stop);
      lastMessageAt = Number.NEGATIVE_INFINITY;
      setTimeout(open, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, 15_000);
    });
  };
  open();
  const isFresh = () => performance.now() - lastMessageAt < silentMs;
  return {
    isFresh,
    notePoll: (isNew) => {
      if (isNew && !isFresh()) missedAt ??= performance.now();
      if (missedAt !== undefined && performance.now() - missedAt > graceMs) current?.terminate();
    },
  };
}

function headNumber(text: string): number | undefined {
  try {
    const message = JSON.parse(text) as { method?: string; params?: { result?: { number?: string } } };
    const number = Number(message.params?.result?.number);
    return message.method === 'eth_subscription' && Number.isSafeInteger(number) ? number : undefined;
  } catch {
    return undefined;
  }
}
