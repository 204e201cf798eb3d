/** Access tokens of an external OpenID provider. Keys come from the provider alone, never from a token. */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ApiProblem } from '../../terms/errors.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Where its keys are; absent: the discovery document says. */
  readonly jwksUrl?: string | undefined;
}

/** Signatures by key pairs alone: a public key can never be taken for a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const timeoutMs = 3_000;
/** A key that is not known is asked for at most this often, ms. */
const cooldownMs = 2_000;

export class OpenIdProvider {
  #keys: Promise<JWTVerifyGetKey> | undefined;
  readonly settings: OpenIdSettings;

  constructor(settings: OpenIdSettings) {
    this.settings = settings;
  }

  /** @returns identity @throws JOSEError of a token that is not valid, ApiProblem identity_provider_unavailable */
  async verify(token: string): Promise<string> {
    const { issuer, audience } = this.settings;
    const keys = await this.#findKeys();
    const options = { issuer, audience, algorithms, requiredClaims: ['sub', 'exp'] };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      refuseIdToken(payload, protectedHeader.typ);
      return `oidc:${issuer}#${payload.sub}`;
    } catch (error) {
      const isOfToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
      throw isOfToken && error.code !== 'ERR_JOSE_GENERIC' ? error : unavailable();
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

  /** @source OpenID Connect Discovery 1.0, sections 4.1 and 4.3 */
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

/** What only ID tokens say. @source OpenID Connect Core 1.0, sections 2 and 3.3.2.11 */
const claimsOfIdTokens = ['nonce', 'at_hash', 'c_hash'];
const accessTypes = ['jwt', 'at+jwt', 'application/at+jwt'];

/**
 * An ID token tells a client who signed in there; it is no leave to ask for anything here, though its audience may be ours.
 * @source RFC 9068 section 2.1; `typ` ID is Keycloak's word, `token_use` id that of Cognito
 */
function refuseIdToken(payload: JWTPayload, type: string | undefined): void {
  const isIdToken =
    claimsOfIdTokens.some((claim) => claim in payload) || payload.typ === 'ID' || payload.token_use === 'id';
  if (isIdToken) throw new errors.JWTClaimValidationFailed('an ID token is no access token', payload);
  if (type && !accessTypes.includes(type.toLowerCase()))
    throw new errors.JWTClaimValidationFailed('the type is not that of an access token', payload, 'typ');
}

const unavailable = () =>
  new ApiProblem('identity_provider_unavailable', 'the identity provider did not answer, try again');
