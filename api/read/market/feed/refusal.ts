/** Why a feed is refused: one word for machines, a sentence for people. @source specification 4.6 rules, part 7 */

export const refusals = {
  bad_url: 'the feed is no URL that can be used',
  not_https: 'a feed must be HTTPS',
  credentials_in_url: 'a feed must not carry a user or a password',
  private_address: 'the host of a feed must be at public addresses alone',
  host_not_allowlisted: 'the host of the feed is not on the allowlist',
  not_native_pair: 'the base of the pair must be the native coin',
  probe_unreachable: 'the feed could not be reached',
  probe_timeout: 'the feed did not answer in time',
  probe_redirect: 'the feed redirects: name the address that answers',
  probe_bad_status: 'the feed did not answer with status 200',
  probe_too_large: 'the feed is larger than allowed',
  probe_bad_schema: 'the feed is no order book of a known shape',
  probe_bad_number: 'a price or a size of the feed is no sound number',
  probe_empty_book: 'a side of the order book is empty',
  probe_crossed_book: 'the best bid is not below the best ask',
  namesake_token: 'the feed is about another token of the same name',
  pair_not_named:
    'nothing says that the feed is about this pair: neither it nor its URL names one, and there is no price to compare with',
} as const;

export type Refusal = keyof typeof refusals;

/** A feed that must not be used. */
export class FeedRefused extends Error {
  override readonly name = 'FeedRefused';
  readonly reason: Refusal;
  constructor(reason: Refusal, options?: ErrorOptions) {
    super(`${reason}: ${refusals[reason]}`, options);
    this.reason = reason;
  }
}
