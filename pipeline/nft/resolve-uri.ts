/**
 * Reads the content of a URI in NFT metadata: a data URI, IPFS through a gateway, or HTTPS.
 * @source RFC 2397 (data), https://docs.ipfs.tech/how-to/address-ipfs-on-web/, ERC-1155 ("{id}" in URIs)
 */
import { checkOutboundUrl, type OutboundNetwork, sendOutside } from '#runtime/outbound/outbound.ts';

export interface NftSettings {
  /** Base URL; undefined: ipfs:// URIs are not fetched. */
  readonly ipfsGateway: string | undefined;
  readonly timeoutMs: number;
  /** Maximum size of all stored metadata on disk, bytes. */
  readonly maxBytes: number;
}

class UnusableUri extends Error {
  override readonly name = 'UnusableUri';
}

/** Replaces `{id}` by the token id: 64 lower-case hex digits. @source ERC-1155, Metadata */
export const insertId = (uri: string, tokenId: string): string =>
  uri.replaceAll('{id}', BigInt(tokenId).toString(16).padStart(64, '0'));

/** @param maxBytes maximum size of the content @throws UnusableUri, OutboundError */
export async function readUri(
  uri: string,
  maxBytes: number,
  { ipfsGateway, timeoutMs }: Pick<NftSettings, 'ipfsGateway' | 'timeoutMs'>,
  network: OutboundNetwork,
): Promise<Buffer> {
  if (/^data:/i.test(uri)) return readDataUri(uri, maxBytes);
  const url = checkOutboundUrl(toUrl(uri, ipfsGateway), network.trustedHosts);
  const request = { method: 'GET', headers: { accept: '*/*' } } as const;
  return (await sendOutside(url, request, { timeoutMs, maxBytes }, network)).body;
}

function toUrl(uri: string, gateway: string | undefined): string {
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i.exec(uri)?.[1];
  if (path === undefined) {
    if (!/^https?:\/\//i.test(uri)) throw new UnusableUri('the URI must start with data:, ipfs:// or https://');
    return uri;
  }
  if (gateway === undefined) throw new UnusableUri('IPFS is not read: the operator has set no IPFS_GATEWAY');
  const url = new URL(`${gateway}/ipfs/${path}`);
  // the URL parser resolves encoded dots and removes tabs; a server behind the gateway may decode slashes
  const isInside = url.pathname.startsWith(new URL(`${gateway}/ipfs/`).pathname);
  if (!/^[A-Za-z0-9]/.test(path) || !isInside || /\.\.|\\|%(2f|5c)/i.test(path.replaceAll(/%2e/gi, '.')))
    throw new UnusableUri('the IPFS path is invalid');
  return url.href;
}

function readDataUri(uri: string, maxBytes: number): Buffer {
  const comma = uri.indexOf(',');
  if (comma < 0) throw new UnusableUri('the data URI has no content');
  const [head, text] = [uri.slice(0, comma), uri.slice(comma + 1)];
  const content = /;base64$/i.test(head) ? Buffer.from(text, 'base64') : Buffer.from(decodePercent(text), 'utf8');
  if (content.length > maxBytes) throw new UnusableUri(`the content exceeds ${maxBytes} bytes`);
  return content;
}

/** Decodes percent-encoding. Returns other text unchanged: many contracts don't encode data URIs. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
