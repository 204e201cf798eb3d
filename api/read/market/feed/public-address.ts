/** Which IP addresses are out in the public. @source RFC 6890, IANA special-purpose address registries */
import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True of an address that anybody on the internet has by right. Everything else is not: loopback, private, link-local,
 * shared, multicast, documentation, and every form that carries an IPv4 address inside (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return false;
  const address = ipaddr.parse(bare);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** True where the host of a URL is an IP address in any notation: the URL parser has brought it to its usual form. */
export function isAddressLiteral(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[|\]$/g, ''));
}
