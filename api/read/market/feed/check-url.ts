import { isAddressLiteral, isPublicAddress } from './public-address.ts';
import { FeedRefused } from './refusal.ts';

/**
 * Checks the URL of an order-book feed before any connection.
 * @param allowedHosts lower case, with the port if it is not 443
 * @throws FeedRefused
 */
export function checkFeedUrl(text: string, allowedHosts: readonly string[]): URL {
  const url = parse(text);
  if (url.protocol !== 'https:') throw new FeedRefused('not_https');
  if (url.username !== '' || url.password !== '') throw new FeedRefused('credentials_in_url');
  if (isAddressLiteral(url.hostname) && !isPublicAddress(url.hostname)) throw new FeedRefused('private_address');
  if (!allowedHosts.includes(url.host)) throw new FeedRefused('host_not_allowlisted');
  return url;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new FeedRefused('bad_url', { cause: error });
  }
}
