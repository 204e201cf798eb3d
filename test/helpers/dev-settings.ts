import { economySettings } from '#api/settings.ts';
import { withDevEconomy } from '#devchain/known-economy.ts';
import { readConfig } from '#runtime/config.ts';

/** Settings of an API that reads a dev chain. */
export const devSettings = (rpcUrl: string) =>
  economySettings(withDevEconomy(readConfig({ DEVCHAIN_PORT: new URL(rpcUrl).port })));
