/**
 * Sends requests to URLs of untrusted users. Follows no redirects. Connects to the checked IP address, so DNS rebinding
 * cannot bypass the check.
 */
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, errors } from 'undici';
import { getFirst } from '#runtime/lists.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { isAddressLiteral, isPublicAddress } from './public-address.ts';

export interface OutboundNetwork {
  resolve(host: string): Promise<readonly { address: string; family: number }[]>;
  /** Certificate authority that replaces those of the system, PEM. */
  readonly authority?: string;
  route?(address: string): string;
  /** Server of the dev chain on 127.0.0.1, trusted only with this certificate. */
  readonly own?: { readonly host: string; readonly authority: string };
  /** Hosts that may have private addresses, lower case, with the port unless it is the default. */
  readonly trustedHosts?: readonly string[];
}

export const systemNetwork: OutboundNetwork = { resolve: (host) => lookup(host, { all: true, verbatim: true }) };

export interface OutboundLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** If true, the body is not read. */
  readonly ignoresBody?: boolean;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface OutboundReply {
  readonly status: number;
  readonly body: Buffer;
}

const reasons = {
  bad_url: 'the URL is invalid',
  not_https: 'the URL must use HTTPS',
  credentials_in_url: 'the URL must not contain a user name or password',
  private_address: 'the host must have only public IP addresses',
  unreachable: 'the host could not be reached',
  timeout: 'the host did not answer in time',
  redirect: 'the host redirects: use the final URL',
  bad_status: 'the host must answer with a status from 200 to 299',
  too_large: 'the reply exceeds the maximum size',
} as const;

export type OutboundReason = keyof typeof reasons;

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;
  readonly status: number | undefined;
  constructor(reason: OutboundReason, options?: ErrorOptions & { readonly status?: number }) {
    super(options?.status === undefined ? reasons[reason] : `${reasons[reason]}, got ${options.status}`, options);
    this.reason = reason;
    this.status = options?.status;
  }
}

/** Checks a URL before any connection. @throws OutboundError */
export function checkOutboundUrl(text: string, trustedHosts: readonly string[] = []): URL {
  const url = parseUrl(text);
  if (url.username !== '' || url.password !== '') throw new OutboundError('credentials_in_url');
  if (trustedHosts.includes(url.host) && url.protocol === 'http:') return url;
  if (url.protocol !== 'https:') throw new OutboundError('not_https');
  const isPrivate = isAddressLiteral(url.hostname) && !isPublicAddress(url.hostname);
  if (isPrivate && !trustedHosts.includes(url.host)) throw new OutboundError('private_address');
  return url;
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new OutboundError('bad_url', { cause: error });
  }
}

/**
 * @param url must have passed checkOutboundUrl()
 * @throws OutboundError, also for a status other than 2xx
 */
export async function sendOutside(
  url: URL,
  { method, headers, body }: OutboundRequest,
  limits: OutboundLimits,
  network: OutboundNetwork,
): Promise<OutboundReply> {
  const own = network.own?.host === url.host ? network.own : undefined;
  const { authority } = own ?? network;
  const isTrusted = network.trustedHosts?.includes(url.host) === true;
  const agent = new Agent({
    pipelining: 0,
    connect: {
      ...(own ? { lookup: thisMachine } : isTrusted ? {} : { lookup: checkedLookup(network) }),
      timeout: limits.timeoutMs,
      ...(authority === undefined ? {} : { ca: authority }),
    },
  });
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const path = url.pathname + url.search;
  try {
    const reply = await agent.request({
      ...{ origin: url.origin, path, method, signal, body: body ?? null },
      headers: { 'accept-encoding': 'identity', 'user-agent': 'cordscan', ...headers },
    });
    assertStatus(reply.statusCode);
    const { statusCode: status } = reply;
    return { status, body: limits.ignoresBody ? Buffer.alloc(0) : await readBody(reply, limits.maxBytes) };
  } catch (error) {
    throw toOutboundError(error, signal);
  } finally {
    await agent.destroy();
  }
}

function assertStatus(status: number): void {
  if (status >= 300 && status < 400) throw new OutboundError('redirect', { status });
  if (status < 200 || status >= 300) throw new OutboundError('bad_status', { status });
}

async function readBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new OutboundError('too_large');
  return readBounded(body, maxBytes, () => new OutboundError('too_large'));
}

const thisMachine: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

function checkedLookup(network: OutboundNetwork): LookupFunction {
  return (host, options, callback) => {
    const answer = async () => {
      const found = await network.resolve(host);
      if (found.length === 0) throw new OutboundError('unreachable');
      if (!found.every(({ address }) => isPublicAddress(address))) throw new OutboundError('private_address');
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

function toOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  const isTimeout =
    signal.aborted ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError;
  return new OutboundError(isTimeout ? 'timeout' : 'unreachable', { cause: error });
}
