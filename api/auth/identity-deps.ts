/** Puts together what knows who asks. */
import type { ServiceKey } from '#runtime/service-key.ts';
import type { ApiDeps } from '../deps.ts';
import { RateTiers } from '../middleware/rate-tiers.ts';
import { AccessTokens } from './access-tokens.ts';
import { KeyStore } from './key-store.ts';
import { KeyUsage } from './key-usage.ts';
import { LinkedWallets } from './linked-wallets.ts';
import { Nonces } from './nonces.ts';
import { OpenIdProvider } from './open-id.ts';
import { Operators } from './operators.ts';
import { SignIn } from './sign-in.ts';

type Parts = Pick<ApiDeps, 'database' | 'statements' | 'client' | 'log' | 'settings'> & { serviceKey: ServiceKey };

export function createIdentityDeps(parts: Parts): Pick<ApiDeps, 'admission' | 'signIn'> {
  const { database, statements, client, log, settings, serviceKey } = parts;
  const { origin, chainId, openId, isOriginKnown } = settings;
  return {
    admission: {
      credentials: {
        tokens: new AccessTokens(serviceKey, origin),
        openId: openId && new OpenIdProvider(openId),
        keys: new KeyStore(database, statements),
        wallets: new LinkedWallets(database, statements),
        operators: new Operators(settings.operatorWallets, log),
      },
      rates: new RateTiers(settings.rates),
      usage: new KeyUsage(database, statements, log),
    },
    signIn: new SignIn(client, new Nonces(database, statements, serviceKey), {
      chainId,
      origin: isOriginKnown ? origin : undefined,
    }),
  };
}
