/** Whose requests count together. */
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/** What one caller has: the address of an IPv4 caller, the /64 of an IPv6 caller. */
export const addressOf = (ip: string): string => prefixOf(ip, 32, 64);

/** What one provider's customer may have many of: the /24 of an IPv4 caller, the /48 of an IPv6 caller. */
export const networkOf = (ip: string): string => prefixOf(ip, 24, 48);

function prefixOf(ip: string, bitsOf4: number, bitsOf6: number): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip); // ::ffff:1.2.3.4 is 1.2.3.4
  if (address.kind() === 'ipv4') {
    if (bitsOf4 === 32) return address.toString();
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bitsOf4}`)}/${bitsOf4}`;
  }
  const parts = (address as ipaddr.IPv6).parts.slice(0, bitsOf6 / 16).map((part) => part.toString(16));
  return `${parts.join(':')}::/${bitsOf6}`;
}

/**
 * Address of the caller behind trusted proxies, each of which adds at the end whom it was asked by: what a caller wrote
 * before that counts for nothing.
 * @param hops proxies that are trusted
 */
export function callerAddress(peer: string, headers: IncomingHttpHeaders, hops: number): string {
  if (hops === 0) return peer;
  const told = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return told.slice(-hops)[0] ?? peer;
}

/** Who may see what the service says of its own inside: figures of its processes, and its nodes by name. */
export type WatcherAccess = 'loopback' | 'private' | 'anywhere';

/** Ranges in the names of ipaddr.js. */
const rangesOf: Readonly<Record<'loopback' | 'private', readonly string[]>> = {
  loopback: ['loopback'],
  private: ['loopback', 'private', 'uniqueLocal', 'linkLocal'],
};

/** @param hops as callerAddress() takes them; what came through a proxy that is not among them may come from anywhere */
export function mayWatch(access: WatcherAccess, peer: string, headers: IncomingHttpHeaders, hops: number): boolean {
  if (access === 'anywhere') return true;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const ip = callerAddress(peer, headers, hops);
  if ((hops === 0 && isForwarded) || !ipaddr.isValid(ip)) return false;
  return rangesOf[access].includes(ipaddr.process(ip).range());
}
