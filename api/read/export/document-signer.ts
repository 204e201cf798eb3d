/**
 * Signs documents, such as export certificates. Anyone can verify them offline.
 * @source RFC 7515 (JWS), RFC 8037 (Ed25519 in JOSE)
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { ServiceKey } from '#runtime/service-key.ts';

/** DER header of a 32-byte private key. @source RFC 8410, section 7 */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface PublishedKey extends JWK {
  readonly kid: string;
}

export class DocumentSigner {
  readonly #key: KeyObject;
  #published: Promise<PublishedKey> | undefined;

  constructor(serviceKey: ServiceKey) {
    const der = Buffer.concat([derPrefix, serviceKey.derive('documents')]);
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  /** Returns the public key. Its id is its thumbprint. @source RFC 7638 */
  publicKey(): Promise<PublishedKey> {
    this.#published ??= this.#publish();
    return this.#published;
  }

  /** @returns compact JWS */
  async sign(document: Readonly<Record<string, unknown>>): Promise<string> {
    const { kid } = await this.publicKey();
    const payload = new TextEncoder().encode(JSON.stringify(document));
    return new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA', kid }).sign(this.#key);
  }

  async #publish(): Promise<PublishedKey> {
    const jwk = await exportJWK(createPublicKey(this.#key));
    return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
  }
}
