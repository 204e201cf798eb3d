import { runApi } from '#api/main.ts';
import type { Config } from '#runtime/config.ts';

/** Without RPC_URL, the API knows the contracts and the order book of the dev chain. */
export async function runApiCommand(config: Config): Promise<void> {
  if (config.RPC_URL) return runApi(config);
  const { withDevEconomy } = await import('#devchain/known-economy.ts');
  const { devApiOptions } = await import('./dev/api-options.ts');
  return runApi(withDevEconomy(config), config.DEV_FEED === undefined ? {} : devApiOptions(config.DEV_FEED));
}
