import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { known } from '#runtime/known.ts';
import type { ServiceKey } from '#runtime/service-key.ts';

/** Token lifetime. Permissions are not in the token: each request reads them. */
export const tokenSeconds = 900;
const [audience, algorithm, type] = ['cordscan', 'EdDSA', 'at+jwt'];
/** PKCS #8 header of an Ed25519 private key. @source RFC 8410 */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

export class AccessTokens {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly issuer: string;

  constructor(serviceKey: ServiceKey, issuer: string) {
    this.issuer = issuer;
    const der = Buffer.concat([pkcs8Head, serviceKey.derive('access tokens')]);
    this.#privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    this.#publicKey = createPublicKey(this.#privateKey);
  }

  issue(identity: string): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: type })
      .setIssuer(this.issuer)
      .setAudience(audience)
      .setSubject(identity)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(this.#privateKey);
  }

  /**
   * Returns the identity of the token's owner.
   * @throws JOSEError if the token is invalid, expired or from another issuer
   */
  async verify(token: string): Promise<string> {
    const { payload } = await jwtVerify(token, this.#publicKey, {
      issuer: this.issuer,
      audience,
      algorithms: [algorithm],
      typ: type,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    return known(payload.sub, 'the subject of a token');
  }
}
