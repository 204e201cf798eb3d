/**
 * Fetches an order-book feed without redirects. Each fetch connects to the IP address that it checked, so DNS rebinding
 * cannot bypass the check.
 */
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, errors } from 'undici';
import { getFirst } from '#runtime/lists.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { isPublicAddress } from './public-address.ts';
import { FeedRefused } from './refusal.ts';

export interface FeedNetwork {
  resolve(host: string): Promise<readonly { address: string; family: number }[]>;
  /** Certificate authority to trust instead of those of the system, PEM. */
  readonly authority?: string;
  route?(address: string): string;
  /** Feed of the dev chain: it runs on 127.0.0.1 and is trusted only by its own certificate. */
  readonly own?: { readonly host: string; readonly authority: string };
}

export const systemNetwork: FeedNetwork = { resolve: (host) => lookup(host, { all: true, verbatim: true }) };

interface FeedLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Returns the body of the feed. @throws FeedRefused */
export async function fetchFeed(url: URL, limits: FeedLimits, network: FeedNetwork): Promise<string> {
  const own = network.own?.host === url.host ? network.own : undefined;
  const { authority } = own ?? network;
  const agent = new Agent({
    pipelining: 0,
    connect: {
      lookup: own ? thisMachine : checkedLookup(network),
      timeout: limits.timeoutMs,
      ...(authority === undefined ? {} : { ca: authority }),
    },
  });
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const reply = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'cordscan' },
    });
    assertStatus(reply.statusCode);
    return await readBody(reply, limits.maxBytes);
  } catch (error) {
    throw toRefusal(error, signal);
  } finally {
    await agent.destroy();
  }
}

function assertStatus(status: number): void {
  if (status >= 300 && status < 400) throw new FeedRefused('probe_redirect');
  if (status !== 200) throw new FeedRefused('probe_bad_status');
}

async function readBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FeedRefused('probe_too_large');
  return (await readBounded(body, maxBytes, () => new FeedRefused('probe_too_large'))).toString('utf8');
}

const thisMachine: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

function checkedLookup(network: FeedNetwork): LookupFunction {
  return (host, options, callback) => {
    const answer = async () => {
      const found = await network.resolve(host);
      if (found.length === 0) throw new FeedRefused('probe_unreachable');
      if (!found.every(({ address }) => isPublicAddress(address))) throw new FeedRefused('private_address');
      return found.map(({ address, family }) => ({ address: network.route?.(address) ?? address, family }));
    };
    answer().then(
      (addresses) => {
        const { address, family } = getFirst(addresses);
        if (options.all) callback(null, addresses);
        else callback(null, address, family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

function toRefusal(error: unknown, signal: AbortSignal): FeedRefused {
  if (error instanceof FeedRefused) return error;
  const isTimeout =
    signal.aborted ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError;
  return new FeedRefused(isTimeout ? 'probe_timeout' : 'probe_unreachable', { cause: error });
}
