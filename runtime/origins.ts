/**
 * Returns the HTTP origin at which this machine reaches a service on `host`. Wildcard addresses become loopback.
 * @source RFC 3986, 3.2.2: an IPv6 address in brackets
 */
export function toOrigin(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
