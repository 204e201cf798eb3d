import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface TokenOptions {
  readonly subject?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly claims?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly expiresInSeconds?: number;
  /** True if an unpublished key signs the token. */
  readonly isForeign?: boolean;
}

export const audience = 'explorer';

export async function startOpenIdProvider() {
  let keys = await makeKeys('first');
  const foreign = await makeKeys('first');
  const isDown = { value: false };
  const server = createServer((request, response) => {
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [keys.jwk] },
    };
    const document = isDown.value ? undefined : documents[request.url ?? ''];
    response.writeHead(document ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    isDown,
    /** Public key as text, for attacks that use it as a secret. */
    publicText: () => JSON.stringify(keys.jwk),
    rotate: async () => {
      keys = await makeKeys(`k${Date.now()}`);
    },
    token: (options: TokenOptions = {}) => {
      const { subject = 'somebody', expiresInSeconds = 300, isForeign = false } = options;
      const signer = isForeign ? foreign : keys;
      return new SignJWT({ roles: ['operator', 'admin'], ...options.claims })
        .setProtectedHeader({
          alg: 'ES256',
          kid: signer.kid,
          jwk: foreign.jwk,
          ...(options.type ? { typ: options.type } : {}),
        })
        .setIssuer(options.issuer ?? issuer)
        .setAudience(options.audience ?? audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + expiresInSeconds)
        .sign(signer.privateKey);
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type OpenIdProviderFake = Awaited<ReturnType<typeof startOpenIdProvider>>;

async function makeKeys(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
