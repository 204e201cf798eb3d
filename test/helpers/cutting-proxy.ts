/** An HTTP proxy in front of the API that breaks replies. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { freePort } from './processes.ts';

interface Damage {
  /** Closes the connection after so many bytes of the body. */
  readonly cutAfter?: number;
  readonly change?: (text: string) => string;
  /** Replies with this status instead of forwarding to the API. */
  readonly status?: number;
}

export interface CuttingProxy {
  readonly origin: string;
  readonly requests: string[];
  damage: (path: string) => Damage;
  stop(): Promise<void>;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const port = await freePort();
  const proxy: Omit<CuttingProxy, 'stop'> = {
    origin: `http://127.0.0.1:${port}`,
    requests: [],
    damage: () => ({}),
  };
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '/' } = incoming;
    proxy.requests.push(`${method} ${path}`);
    pass(target, incoming, outgoing, proxy.damage(path));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, damage: Damage): void {
  const { cutAfter = Number.POSITIVE_INFINITY, change = (text: string) => text, status } = damage;
  if (status !== undefined) {
    outgoing.writeHead(status, { 'Retry-After': '1' }).end();
    return;
  }
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
  const upstream = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (reply) => {
    const { 'content-length': _, ...others } = reply.headers;
    outgoing.writeHead(reply.statusCode ?? 502, others);
    let sent = 0;
    reply.on('data', (chunk: Buffer) => {
      const text = Buffer.from(change(chunk.toString('utf8')));
      const rest = cutAfter - sent;
      sent += text.length;
      outgoing.write(text.subarray(0, Math.max(0, rest)), () => {
        if (text.length > rest) outgoing.destroy();
      });
    });
    reply.on('end', () => sent <= cutAfter && outgoing.end());
    reply.on('error', () => outgoing.destroy());
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}
