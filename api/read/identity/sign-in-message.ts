/** What a signed message must say before it proves anything. @source EIP-4361 */
import { SiweMessage } from 'siwe';
import { ApiProblem } from '../../terms/errors.ts';

export interface MessageRules {
  /** Host, with port where it is not the usual one. */
  readonly domain: string;
  readonly chainId: number;
  /** Text that the wallet shows; undefined: any. */
  readonly statement?: string | undefined;
}

/** How long a message may be valid at most, seconds. */
const maxValiditySeconds = 3_600;
/** Clocks of wallets may be ahead by this, ms. */
const clockSkewMs = 60_000;

interface CheckedMessage {
  /** Who has to have signed it, lower case. */
  readonly address: string;
  readonly nonce: string;
}

/** @throws ApiProblem sign_in_refused that says what is wrong */
export function checkMessage(text: string, rules: MessageRules, nowMs: number): CheckedMessage {
  const message = parseMessage(text);
  const { domain, uri, chainId, issuedAt, expirationTime, notBefore, statement } = message;
  if (message.version !== '1') throw refused('the version must be 1');
  if (domain !== rules.domain) throw refused(`the domain is ${domain}, and must be ${rules.domain}`);
  if (hostOf(uri) !== rules.domain) throw refused(`the URI must be on ${rules.domain}`);
  if (chainId !== rules.chainId) throw refused(`the chain id is ${chainId}, and must be ${rules.chainId}`);
  if (rules.statement !== undefined && statement !== rules.statement)
    throw refused(`the statement must be: ${rules.statement}`);
  const [issued, expires] = [timeOf(issuedAt), timeOf(expirationTime)];
  if (issued === undefined || issued > nowMs + clockSkewMs) throw refused('Issued At is missing or lies ahead');
  if (expires === undefined || expires > issued + 1000 * maxValiditySeconds)
    throw refused(`Expiration Time is missing, or more than ${maxValiditySeconds} seconds behind Issued At`);
  if (expires <= nowMs) throw refused('the message has expired');
  if (notBefore !== undefined && (timeOf(notBefore) ?? Number.POSITIVE_INFINITY) > nowMs)
    throw refused('the message is not valid yet');
  return { address: message.address.toLowerCase(), nonce: message.nonce };
}

/** A message for a wallet to sign. @param address with its EIP-55 checksum */
export function writeMessage(
  rules: MessageRules & { readonly address: string; readonly uri: string; readonly nonce: string },
  nowMs: number,
  seconds: number,
): string {
  const { statement, ...rest } = rules;
  return new SiweMessage({
    ...rest,
    version: '1',
    issuedAt: new Date(nowMs).toISOString(),
    expirationTime: new Date(nowMs + 1000 * seconds).toISOString(),
    ...(statement === undefined ? {} : { statement }),
  }).prepareMessage();
}

export const refused = (reason: string) => new ApiProblem('sign_in_refused', reason);

/** The text must be what its fields say, to the letter: what was shown to the signer is what is checked. */
function parseMessage(text: string): SiweMessage {
  try {
    const message = new SiweMessage(text);
    if (message.prepareMessage() === text) return message;
  } catch {
    // said below
  }
  throw refused('this is no Sign-In with Ethereum message (EIP-4361)');
}

function hostOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).host : undefined;
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
