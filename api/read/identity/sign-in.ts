import { getAddress } from 'ethers';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { known } from '#runtime/known.ts';
import { type Nonces, nonceSeconds } from './nonces.ts';
import { checkMessage, type MessageRules, refused, writeMessage } from './sign-in-message.ts';
import { findSigner } from './wallet-signature.ts';

interface SignInSettings {
  readonly chainId: number;
  /**
   * Public origin of this service; undefined: sign-in is disabled. There is no default, because services with equal
   * origins could reuse each other's signed messages.
   * @source EIP-4361, phishing
   */
  readonly origin: string | undefined;
}

type Purpose = { readonly kind: 'sign-in' } | { readonly kind: 'link'; readonly identity: string };

interface Challenge {
  readonly nonce: string;
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
  readonly statement: string;
  readonly expiresInSeconds: number;
  readonly message: string | null;
}

export class SignIn {
  readonly client: RpcClient;
  readonly nonces: Nonces;
  readonly settings: SignInSettings;
  constructor(client: RpcClient, nonces: Nonces, settings: SignInSettings) {
    this.client = client;
    this.nonces = nonces;
    this.settings = settings;
  }

  /** Returns the fields of the message to sign, and its text if `address` is set. */
  async challenge(purpose: Purpose, address: string | undefined): Promise<Challenge> {
    const { chainId } = this.settings;
    const origin = this.#origin();
    const nonce = this.nonces.issue(getPurposeName(purpose));
    const parts = { domain: new URL(origin).host, uri: origin, chainId, nonce, statement: getStatement(purpose) };
    const message =
      address === undefined
        ? null
        : await writeMessage({ ...parts, address: getAddress(address) }, Date.now(), nonceSeconds);
    return { ...parts, expiresInSeconds: nonceSeconds, message };
  }

  /**
   * Runs `work` if a wallet signed the message. A message can be used once, or again if `work` fails.
   * @throws ApiProblem sign_in_refused; node_unavailable, state_unavailable if a contract wallet could not be called
   */
  async prove<T>(purpose: Purpose, text: string, signature: string, work: (wallet: string) => Promise<T>): Promise<T> {
    const { chainId } = this.settings;
    const origin = this.#origin();
    const rules: MessageRules = {
      domain: new URL(origin).host,
      chainId,
      // the signer must see which identity the wallet is linked to
      statement: purpose.kind === 'link' ? getStatement(purpose) : undefined,
    };
    const { address, nonce } = await checkMessage(text, rules, Date.now());
    if (!this.nonces.isIssued(nonce, getPurposeName(purpose)))
      throw refused('the nonce has expired or was not issued for this purpose: request a new one');
    if (!(await findSigner(this.client, { address, text, signature })))
      throw refused('the signature does not match this wallet and message');
    const done = await this.nonces.spend(nonce, () => work(address));
    if (!done) throw refused('the nonce was used already: request a new one');
    return done.value;
  }

  #origin(): string {
    const { origin } = this.settings;
    if (origin === undefined) throw refused(noOrigin);
    return origin;
  }
}

const noOrigin =
  'sign-in is disabled: this service accepts remote connections, but its operator has not set PUBLIC_URL, the origin that wallets sign for';

const getPurposeName = (purpose: Purpose) => (purpose.kind === 'link' ? `link ${purpose.identity}` : 'sign-in');

const getStatement = (purpose: Purpose) =>
  purpose.kind === 'link' ? `Link this wallet to ${escapeStatement(purpose.identity)}` : 'Sign in to Cordscan';

/** Replaces characters that a statement may not contain by `~` and the hex code point. @source EIP-4361 */
const escapeStatement = (text: string) =>
  text.replace(
    /[^A-Za-z0-9:/?#@!$&'()*+,;=._-]/gu,
    (character) => `~${known(character.codePointAt(0), 'a code point').toString(16)}`,
  );
