/** Messages that a wallet signs to sign in. @source EIP-4361 */
import type { SiweMessage } from 'siwe';
import { ApiProblem } from '../../terms/errors.ts';

export interface MessageRules {
  /** Host of this service, with the port if it is not the default. */
  readonly domain: string;
  readonly chainId: number;
  readonly statement?: string | undefined;
}

const maxValiditySeconds = 3_600;
/** Tolerance for wallets whose clock is ahead. */
const clockSkewMs = 60_000;

interface CheckedMessage {
  readonly address: string;
  readonly nonce: string;
}

/** @throws ApiProblem sign_in_refused, naming the invalid field */
export async function checkMessage(text: string, rules: MessageRules, nowMs: number): Promise<CheckedMessage> {
  const message = await parseMessage(text);
  const { domain, uri, chainId, issuedAt, expirationTime, notBefore, statement } = message;
  if (message.version !== '1') throw refused(`Version must be 1, got ${message.version}`);
  if (domain !== rules.domain) throw refused(`the domain must be ${rules.domain}, got ${domain}`);
  if (getHost(uri) !== rules.domain) throw refused(`the URI must be on ${rules.domain}, got ${uri}`);
  if (chainId !== rules.chainId) throw refused(`the chain id must be ${rules.chainId}, got ${chainId}`);
  if (rules.statement !== undefined && statement !== rules.statement)
    throw refused(`the statement must be: ${rules.statement}`);
  const [issued, expires] = [parseTime(issuedAt), parseTime(expirationTime)];
  if (issued === undefined || issued > nowMs + clockSkewMs)
    throw refused('Issued At is required and must not be in the future');
  if (expires === undefined || expires > issued + 1000 * maxValiditySeconds)
    throw refused(`Expiration Time is required, at most ${maxValiditySeconds} seconds after Issued At`);
  if (expires <= nowMs) throw refused('the message has expired');
  if (notBefore !== undefined && (parseTime(notBefore) ?? Number.POSITIVE_INFINITY) > nowMs)
    throw refused('the message is not valid yet: Not Before is in the future');
  return { address: message.address.toLowerCase(), nonce: message.nonce };
}

/** @param rules.address with EIP-55 checksum */
export async function writeMessage(
  rules: MessageRules & { readonly address: string; readonly uri: string; readonly nonce: string },
  nowMs: number,
  seconds: number,
): Promise<string> {
  const { SiweMessage } = await loadSiwe();
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

/** Loaded on demand: loading takes 100 ms and most processes do not need siwe. */
const loadSiwe = () => import('siwe');

/** Accepts only the canonical form, so that the checked fields are those that the signer saw. */
async function parseMessage(text: string): Promise<SiweMessage> {
  const { SiweMessage } = await loadSiwe();
  try {
    const message = new SiweMessage(text);
    if (message.prepareMessage() === text) return message;
  } catch {
    // reported below
  }
  throw refused('message must be a Sign-In with Ethereum message (EIP-4361)');
}

function getHost(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).host : undefined;
}

function parseTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
