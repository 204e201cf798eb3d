import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Returns the IPv4 address or the /64 of an IPv6 address, which identifies a caller. */
export const getAddressPrefix = (ip: string): string => getPrefix(ip, 32, 64);

/** Returns the network that one customer may own: the IPv4 /24 or IPv6 /48. */
export const getNetworkPrefix = (ip: string): string => getPrefix(ip, 24, 48);

/**
 * Returns the network whose callers share a limit. Undefined without an address, and for loopback and private
 * addresses, which belong to the operator's programs and the service.
 */
export function getLimitedNetwork(ip: string | undefined): string | undefined {
  if (!ip) return undefined;
  return isIn(allowedRanges.private, ip) ? undefined : getNetworkPrefix(ip);
}

function getPrefix(ip: string, bitsOf4: number, bitsOf6: number): string {
  const address = parseIp(ip);
  if (!address) return ip;
  if (address.kind() === 'ipv4') {
    if (bitsOf4 === 32) return address.toString();
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bitsOf4}`)}/${bitsOf4}`;
  }
  const parts = (address as ipaddr.IPv6).parts.slice(0, bitsOf6 / 16).map((part) => part.toString(16));
  return `${parts.join(':')}::/${bitsOf6}`;
}

/**
 * Returns the caller's address behind trusted proxies, which append their peer to X-Forwarded-For. Ignores earlier
 * entries: the caller may have written them.
 */
export function callerAddress(peer: string, headers: IncomingHttpHeaders, hops: number): string {
  if (hops === 0) return peer;
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return forwarded.slice(-hops)[0] ?? peer;
}

/** Callers that may read internal data: process metrics and node names. */
export type WatcherAccess = 'loopback' | 'private' | 'anywhere';

const allowedRanges: Readonly<Record<'loopback' | 'private', readonly string[]>> = {
  loopback: ['loopback'],
  private: ['loopback', 'private', 'uniqueLocal', 'linkLocal'],
};

/**
 * Returns whether the caller may read internal data. Without trusted proxies, forwarded requests are rejected: their
 * origin is unknown.
 */
export function isWatcherAllowed(
  access: WatcherAccess,
  peer: string,
  headers: IncomingHttpHeaders,
  hops: number,
): boolean {
  if (access === 'anywhere') return true;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const ip = callerAddress(peer, headers, hops);
  return !(hops === 0 && isForwarded) && isIn(allowedRanges[access], ip);
}

const isIn = (ranges: readonly string[], ip: string): boolean => ranges.includes(parseIp(ip)?.range() ?? '');

/** Parses an address, without the port that some proxies append. Converts ::ffff:1.2.3.4 to 1.2.3.4. */
function parseIp(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bare] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  const ip = bare ?? text;
  return ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
}
