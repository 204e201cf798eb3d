import type { ServiceKey } from '#runtime/service-key.ts';
import type { ApiDeps } from './deps.ts';
import { RateTiers } from './http/rate-tiers.ts';
import { AccessTokens } from './read/identity/access-tokens.ts';
import { KeyStore } from './read/identity/key-store.ts';
import { KeyUsage } from './read/identity/key-usage.ts';
import { LinkedWallets } from './read/identity/linked-wallets.ts';
import { Nonces } from './read/identity/nonces.ts';
import { OpenIdProvider } from './read/identity/open-id.ts';
import { Operators } from './read/identity/operators.ts';
import { SignIn } from './read/identity/sign-in.ts';

type Parts = Pick<ApiDeps, 'database' | 'client' | 'log' | 'settings'> & { serviceKey: ServiceKey };

export function createIdentityDeps(parts: Parts): Pick<ApiDeps, 'admission' | 'signIn'> {
  const { database, client, log, settings, serviceKey } = parts;
  const { origin, chainId, openId, isOriginKnown } = settings;
  return {
    admission: {
      credentials: {
        tokens: new AccessTokens(serviceKey, origin),
        openId: openId && new OpenIdProvider(openId),
        keys: new KeyStore(database),
        wallets: new LinkedWallets(database),
        operators: new Operators(settings.operatorWallets, log),
      },
      rates: new RateTiers(settings.rates),
      usage: new KeyUsage(database, log),
    },
    signIn: new SignIn(client, new Nonces(database, serviceKey), {
      chainId,
      origin: isOriginKnown ? origin : undefined,
    }),
  };
}
