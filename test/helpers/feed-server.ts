/** HTTPS server with a new certificate. Only the network of this helper trusts it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';

/** Public address that the test network redirects to the local server. */
export const publicAddress = '93.184.216.34';

export interface FeedServer {
  readonly port: number;
  readonly host: string;
  readonly network: OutboundNetwork;
  /** Addresses of the host name, one list per look-up; the last list repeats. */
  answers: string[][];
  isSilent: boolean;
  readonly paths: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  requests: number;
  url(path: string): string;
  stop(): Promise<void>;
}

const name = 'feeds.example.com';

export async function startFeedServer(): Promise<FeedServer> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  const paths: FeedServer['paths'] = new Map();
  const server = createServer({ key, cert }, (request, response) => {
    feed.requests++;
    const answer = paths.get(request.url!.split('?')[0]!);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const feed: FeedServer = {
    port,
    host: `${name}:${port}`,
    paths,
    requests: 0,
    isSilent: false,
    answers: [[publicAddress]],
    network: {
      resolve: async () => {
        if (feed.isSilent) return new Promise(() => undefined);
        const [answer] = feed.answers.length > 1 ? feed.answers.splice(0, 1) : feed.answers;
        return answer!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
      authority: cert,
      route: (address) => {
        if (address !== publicAddress) throw new Error(`a connection to ${address} must not be tried`);
        return '127.0.0.1';
      },
    },
    url: (path) => `https://${name}:${port}${path}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feed;
}

export const sends =
  (document: unknown, status = 200, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  };
