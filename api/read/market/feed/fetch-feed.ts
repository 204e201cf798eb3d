import {
  checkOutboundUrl,
  OutboundError,
  type OutboundLimits,
  type OutboundNetwork,
  type OutboundReason,
  sendOutside,
} from '#runtime/outbound/outbound.ts';
import { FeedRefused, type Refusal } from './refusal.ts';

const refusalByReason: Readonly<Record<OutboundReason, Refusal>> = {
  bad_url: 'bad_url',
  not_https: 'not_https',
  credentials_in_url: 'credentials_in_url',
  private_address: 'private_address',
  unreachable: 'probe_unreachable',
  timeout: 'probe_timeout',
  redirect: 'probe_redirect',
  bad_status: 'probe_bad_status',
  too_large: 'probe_too_large',
};

/** @param allowedHosts lower case, with the port if it is not 443 @throws FeedRefused */
export function checkFeedUrl(text: string, allowedHosts: readonly string[]): URL {
  try {
    const url = checkOutboundUrl(text);
    if (!allowedHosts.includes(url.host)) throw new FeedRefused('host_not_allowlisted');
    return url;
  } catch (error) {
    throw toRefusal(error);
  }
}

/** @throws FeedRefused */
export async function fetchFeed(url: URL, limits: OutboundLimits, network: OutboundNetwork): Promise<string> {
  try {
    const request = { method: 'GET', headers: { accept: 'application/json' } } as const;
    const { status, body } = await sendOutside(url, request, limits, network);
    if (status !== 200) throw new FeedRefused('probe_bad_status');
    return body.toString('utf8');
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof OutboundError ? new FeedRefused(refusalByReason[error.reason], { cause: error }) : error;
}
