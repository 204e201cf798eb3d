/** Limits large request bodies in memory: a slow client keeps its body there. */
import type { IncomingHttpHeaders } from 'node:http';
import { getAddressPrefix, getNetworkPrefix } from './network.ts';
import { Places } from './places.ts';

/** Maximum size of a body that may be read without a place (see `take`), bytes, uncompressed. */
export const smallBytes = 65_536;

export class BodyPlaces {
  readonly #places = new Places(64, 8, 16);

  /**
   * Takes a place to read a body.
   * @param ip address of the caller
   * @returns the function that releases the place; undefined if too many large bodies are being read
   */
  take(headers: IncomingHttpHeaders, ip: string): (() => void) | undefined {
    return isSmall(headers) ? () => {} : this.takeLarge(ip);
  }

  /** Like `take`, for a body of more than `smallBytes`. */
  takeLarge(ip: string): (() => void) | undefined {
    const leave = this.#places.take(getAddressPrefix(ip), getNetworkPrefix(ip));
    return typeof leave === 'function' ? leave : undefined;
  }
}

function isSmall(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined;
  return headers['content-encoding'] === undefined && Number(length) <= smallBytes;
}
