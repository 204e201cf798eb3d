/** @source RFC 6890, IANA special-purpose address registries */
import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns whether an IP address is globally routable. Excludes IPv6 forms that embed IPv4. */
export function isPublicAddress(text: string): boolean {
  const unbracketed = text.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(unbracketed)) return false;
  const address = ipaddr.parse(unbracketed);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** Returns whether a host is an IP address. Pass a host of the URL parser, which normalizes all notations. */
export function isAddressLiteral(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[|\]$/g, ''));
}
