/** A wallet proves itself: nonce, message, signature; each nonce serves once. */
import { getAddress } from 'ethers';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { known } from '#runtime/known.ts';
import { type Nonces, nonceSeconds } from './nonces.ts';
import { checkMessage, type MessageRules, refused, writeMessage } from './sign-in-message.ts';
import { isSignedBy } from './wallet-signature.ts';

interface SignInSettings {
  readonly chainId: number;
  /**
   * Origin under which wallets meet the service; its host is the domain of the messages. Undefined where it isn't known: a
   * name that every installation has would let one of them use what was signed for another. @source EIP-4361, phishing
   */
  readonly origin: string | undefined;
}

/** What a message is to prove. */
type Purpose = { readonly kind: 'sign-in' } | { readonly kind: 'link'; readonly identity: string };

interface Challenge {
  readonly nonce: string;
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
  readonly statement: string;
  readonly expiresInSeconds: number;
  /** Ready to be signed; only where the address was told. */
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

  /** @param address of the wallet, for a message that is ready to be signed */
  challenge(purpose: Purpose, address: string | undefined): Challenge {
    const { chainId } = this.settings;
    const origin = this.#origin();
    const nonce = this.nonces.issue(nameOf(purpose));
    const parts = { domain: new URL(origin).host, uri: origin, chainId, nonce, statement: statementOf(purpose) };
    const message =
      address === undefined ? null : writeMessage({ ...parts, address: getAddress(address) }, Date.now(), nonceSeconds);
    return { ...parts, expiresInSeconds: nonceSeconds, message };
  }

  /**
   * Does some work for the wallet that signed, once for each nonce.
   * @param work is given the address, lower case; where it fails, the same message can be sent again
   * @throws ApiProblem sign_in_refused
   */
  async prove<T>(purpose: Purpose, text: string, signature: string, work: (wallet: string) => Promise<T>): Promise<T> {
    const { chainId } = this.settings;
    const origin = this.#origin();
    const rules: MessageRules = {
      domain: new URL(origin).host,
      chainId,
      // who links must have seen to whom; who signs in may have another text of the client's
      statement: purpose.kind === 'link' ? statementOf(purpose) : undefined,
    };
    const { address, nonce } = checkMessage(text, rules, Date.now());
    if (!this.nonces.isIssued(nonce, nameOf(purpose)))
      throw refused('the nonce is not one that was issued for this, or it is too old: ask for another');
    if (!(await isSignedBy(this.client, address, text, signature)))
      throw refused('the signature is not one of this wallet over this message');
    const done = await this.nonces.spend(nonce, () => work(address));
    if (!done) throw refused('the nonce was used already: ask for another');
    return done.value;
  }

  #origin(): string {
    const { origin } = this.settings;
    if (origin === undefined) throw refused(noOrigin);
    return origin;
  }
}

const noOrigin =
  'signing in is not available: this service listens to other machines, and its operator has not set PUBLIC_URL, the origin that wallets sign for';

const nameOf = (purpose: Purpose) => (purpose.kind === 'link' ? `link ${purpose.identity}` : 'sign-in');

const statementOf = (purpose: Purpose) =>
  purpose.kind === 'link' ? `Link this wallet to ${plain(purpose.identity)}` : 'Sign in to Cordscan';

/** Characters that EIP-4361 has no place for, as ~ and their hex. */
const plain = (text: string) =>
  text.replace(
    /[^A-Za-z0-9:/?#@!$&'()*+,;=._-]/gu,
    (character) => `~${known(character.codePointAt(0), 'a code point').toString(16)}`,
  );
