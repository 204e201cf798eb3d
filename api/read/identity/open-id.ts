/** Verifies tokens of an external identity provider. Signing keys come from the provider, never from a token. */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ApiProblem } from '../../terms/errors.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string | undefined;
}

/** Only asymmetric: otherwise a token could be signed with the public key as a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const timeoutMs = 3_000;
/** Minimum interval between key requests to the provider, ms. */
const cooldownMs = 2_000;

export class OpenIdProvider {
  #keys: Promise<JWTVerifyGetKey> | undefined;
  readonly settings: OpenIdSettings;

  constructor(settings: OpenIdSettings) {
    this.settings = settings;
  }

  /**
   * Returns the token's identity.
   * @throws JOSEError if the token is invalid, ApiProblem identity_provider_unavailable
   */
  async verify(token: string): Promise<string> {
    const { issuer, audience } = this.settings;
    const keys = await this.#findKeys();
    const options = { issuer, audience, algorithms, requiredClaims: ['sub', 'exp'] };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      rejectIdToken(payload, protectedHeader.typ);
      return `oidc:${issuer}#${payload.sub}`;
    } catch (error) {
      const isTokenError = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
      throw isTokenError && error.code !== 'ERR_JOSE_GENERIC' ? error : unavailable();
    }
  }

  #findKeys(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#openKeys().catch((error) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #openKeys(): Promise<JWTVerifyGetKey> {
    const url = this.settings.jwksUrl ?? (await this.#discover());
    return createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs, cooldownDuration: cooldownMs });
  }

  /** Returns the URL of the provider's keys. @source OpenID Connect Discovery 1.0, sections 4.1 and 4.3 */
  async #discover(): Promise<string> {
    const { issuer } = this.settings;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' }).catch(
      () => undefined,
    );
    const document = (await reply?.json().catch(() => undefined)) as { issuer?: string; jwks_uri?: string } | undefined;
    const keys = document?.issuer === issuer ? document.jwks_uri : undefined;
    if (!reply?.ok || keys === undefined || !URL.canParse(keys)) throw unavailable();
    return keys;
  }
}

/** Claims that only ID tokens have. @source OpenID Connect Core 1.0, sections 2 and 3.3.2.11 */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash'];
const accessTypes = ['jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Rejects ID tokens: they grant no access, even if this service is their audience.
 * @source RFC 9068 section 2.1; Keycloak marks ID tokens with `typ` ID, Cognito with `token_use` id
 */
function rejectIdToken(payload: JWTPayload, type: string | undefined): void {
  const isIdToken =
    idTokenClaims.some((claim) => claim in payload) || payload.typ === 'ID' || payload.token_use === 'id';
  if (isIdToken)
    throw new errors.JWTClaimValidationFailed('the token must be an access token, got an ID token', payload);
  if (type && !accessTypes.includes(type.toLowerCase()))
    throw new errors.JWTClaimValidationFailed('typ must be jwt or at+jwt', payload, 'typ');
}

const unavailable = () =>
  new ApiProblem('identity_provider_unavailable', 'the identity provider did not answer; try again');
