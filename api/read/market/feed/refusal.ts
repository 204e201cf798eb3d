export const refusals = {
  bad_url: 'feedUrl must be a valid URL',
  not_https: 'feedUrl must use HTTPS',
  credentials_in_url: 'feedUrl must not contain a user name or password',
  private_address: 'the host of the feed must have only public IP addresses',
  host_not_allowlisted: 'the host of the feed must be on the allowlist of this service',
  not_native_pair: 'the base currency of the pair must be the native coin',
  probe_unreachable: 'the feed could not be reached',
  probe_timeout: 'the feed did not answer in time',
  probe_redirect: 'the feed redirects: set feedUrl to the final URL',
  probe_bad_status: 'the feed must answer with status 200',
  probe_too_large: 'the feed exceeds the maximum size',
  probe_bad_schema: 'the feed must be an order book in Binance, Coinbase or Kraken format',
  probe_bad_number: 'the feed has an invalid price or size',
  probe_empty_book: 'the order book must have bids and asks',
  probe_crossed_book: 'the best bid must be below the best ask',
  namesake_token: 'the feed is for another token with the same ticker',
  pair_not_named:
    'the feed cannot be matched to the pair: neither the feed nor its URL names a pair, and no price is available for comparison',
} as const;

export type Refusal = keyof typeof refusals;

export class FeedRefused extends Error {
  override readonly name = 'FeedRefused';
  readonly reason: Refusal;
  constructor(reason: Refusal, options?: ErrorOptions) {
    super(`${reason}: ${refusals[reason]}`, options);
    this.reason = reason;
  }
}
