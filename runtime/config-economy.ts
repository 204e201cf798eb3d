import cron from 'node-cron';
import { z } from 'zod';
import { blank, count, distinctList, list } from './config-fields.ts';

const address = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .toLowerCase();
const oneAddress = (text: string) => z.preprocess(blank, address.optional()).describe(text);
const flag = (fallback: 'true' | 'false', text: string) =>
  z.preprocess(blank, z.enum(['true', 'false']).default(fallback)).describe(text);
const source = (text: string) =>
  z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^(https?:\/\/|file:\/\/)/, 'must be an http, https or file URL')
        .optional(),
    )
    .describe(text);

const namedPool = z
  .string()
  .regex(
    /^(0x[0-9a-fA-F]{40}:){2}0x[0-9a-fA-F]{40}$/,
    'must be pool:token0:token1, each an address of 0x and 40 hex digits',
  )
  .toLowerCase()
  .transform((text) => {
    const [pool, token0, token1] = text.split(':') as [string, string, string];
    return { address: pool, token0, token1 };
  });

const excluded = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}=.{1,80}$/, 'must be address=reason, with a reason of 1 to 80 characters')
  .transform((text) => ({ address: text.slice(0, 42).toLowerCase(), reason: text.slice(43) }));

const host = z
  .string()
  .regex(/^[a-z0-9.-]+\.[a-z]{2,}(:\d{1,5})?$/i, 'must be a host name, optionally with :port')
  .toLowerCase();

export const economyFields = {
  WFAT_ADDRESS: oneAddress(
    'Address of the token that wraps the native coin 1:1; unset: no prices if RPC_URL is set, and wallet events take each contract with its events for it',
  ),
  STABLECOINS: list(address, 'Token addresses of stablecoins, comma-separated; each counts as 1 USD; unset: none'),
  DEX_FACTORIES: list(address, 'Addresses of DEX factories whose pools set the price, comma-separated; unset: none'),
  DEX_POOLS: distinctList(
    namedPool,
    ({ address: pool }) => pool,
    'More pools that set the price, from other factories, comma-separated pool:token0:token1; unset: none',
  ),
  PRICE_WINDOW_SECONDS: count(
    86_400,
    'Time before the newest block whose trades set the price, seconds',
    60,
    31_622_400,
  ),
  PRICE_MIN_LIQUIDITY: count(1_000, 'Minimum liquidity of a pool that sets the price, whole USD'),
  PRICE_MIN_TRADE_CENTS: count(1, 'Minimum size of a trade that the price includes, US cents', 0),
  PRICE_OUTLIER_PERCENT: count(
    20,
    'Maximum difference between a trade and the median price, percent; other trades are ignored',
    1,
    10_000,
  ),
  PRICE_STALE_SECONDS: count(3_600, 'Age of the last trade above which the price is reported as stale, seconds', 1),
  EMISSION_GENESIS_FAT: count(10_000_000_000, 'Supply at genesis, FAT'),
  EMISSION_ANNUAL_FAT: count(500_000_000, 'Yearly emission before the first halving, FAT; see EMISSION_ERA_YEARS'),
  EMISSION_ERA_YEARS: count(4, 'Time between halvings of the emission, years of 365.25 days', 1, 1_000),
  EMISSION_PUBLISHED_MAX_FAT: count(
    18_000_000_000,
    'Maximum supply as published, FAT; replies contain this number and the computed maximum',
  ),
  EMISSION_START: z
    .preprocess(blank, z.coerce.number().int().min(0).optional())
    .describe('Start of emission, Unix seconds; unset: timestamp of block 0, or of block 1 if that is 0'),
  REWARD_CONTRACT: oneAddress(
    'Contract that reports block rewards by the event RewardMinted(address indexed producer, uint256 amount); unset: only fees count as rewards',
  ),
  EMISSION_METHOD: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^x_[A-Za-z0-9_]{1,64}$/, 'must be a method name: x_ and 1 to 64 letters, digits or _')
        .optional(),
    )
    .describe('Node method that returns the total emission up to a block; unset: read from REWARD_CONTRACT'),
  FEES_BURNED: flag('true', 'true: base fees are burned and reduce the supply'),
  MIGRATED_ON_TOP: flag(
    'false',
    'true: coins minted for burned legacy tokens add to the genesis supply; false: the genesis supply includes these coins',
  ),
  SUPPLY_EXCLUDED: distinctList(
    excluded,
    ({ address }) => address,
    'Accounts excluded from the circulating supply, comma-separated address=reason; unset: none',
  ),
  BRIDGE_ADDRESS: oneAddress(
    'Bridge contract that emits Migrated(bytes32 indexed nullifier, uint256 indexed originChain, address indexed recipient, uint256 amount, bytes32 burnReference)',
  ),
  ORIGIN_1_URL: source(
    'http, https or file URL of the total amount burned on origin chain 1: a node if ORIGIN_1_TOKEN is set, else a JSON document {"burned": "<wei>", "asOf": …}',
  ),
  ORIGIN_1_TOKEN: oneAddress(
    'Legacy token that holders burn on origin chain 1 in exchange for the coin; its function totalBurned() is read',
  ),
  ORIGIN_2_URL: source('URL of the total amount burned on origin chain 2; see ORIGIN_1_URL'),
  ORIGIN_2_TOKEN: oneAddress(
    'Legacy token that holders burn on origin chain 2 in exchange for the coin; its function totalBurned() is read',
  ),
  FEED_HOSTS: list(
    host,
    'Allowed hosts of order-book feeds, comma-separated, with :port unless the port is 443; unset: none',
  ),
  DEV_FEED: z
    .preprocess(blank, z.string().optional())
    .describe('File with the location of the order-book feed of the dev chain; not allowed with RPC_URL'),
  ORDER_BOOK_CAP: count(50, 'Maximum levels per side of an order book, stored and shown', 1, 1_000),
  FEED_SCHEDULE: z
    .preprocess(
      blank,
      z
        .string()
        .refine((text) => cron.validate(text), 'must be a cron expression with seconds, such as */10 * * * * *')
        .default('*/10 * * * * *'),
    )
    .describe('When order-book feeds are read: cron expression with seconds, UTC'),
  FEED_STALE_SECONDS: count(60, 'Age above which an order book is reported as stale, seconds', 1),
  FEED_TIMEOUT_MS: count(3_000, 'Timeout for reading a complete order-book feed, ms', 100, 30_000),
  FEED_MAX_BYTES: count(1_048_576, 'Maximum size of an order-book feed after decompression, bytes', 1_024, 16_777_216),
};

type EconomyInput = {
  readonly [name in
    | `ORIGIN_${1 | 2}_${'URL' | 'TOKEN'}`
    | ('DEV_FEED' | 'REWARD_CONTRACT' | 'EMISSION_METHOD' | 'BRIDGE_ADDRESS' | 'MIGRATED_ON_TOP')]?: string | undefined;
} & {
  readonly RPC_URL?: readonly string[] | undefined;
};

export function economyErrors(config: EconomyInput): string[] {
  const isForeign = config.DEV_FEED !== undefined && config.RPC_URL !== undefined;
  return [
    ...(isForeign ? ['DEV_FEED is set with RPC_URL, but works only with the dev chain: unset one of them'] : []),
    ...(config.MIGRATED_ON_TOP === 'true' && config.BRIDGE_ADDRESS === undefined && config.RPC_URL !== undefined
      ? ['MIGRATED_ON_TOP is set without BRIDGE_ADDRESS, so the migrated coins are unknown: set both']
      : []),
    ...originErrors(config),
  ];
}

function originErrors(config: EconomyInput): string[] {
  return ([1, 2] as const).flatMap((origin) => {
    const [url, token] = [config[`ORIGIN_${origin}_URL`], config[`ORIGIN_${origin}_TOKEN`]];
    if (token !== undefined && url === undefined)
      return [`ORIGIN_${origin}_TOKEN is set without ORIGIN_${origin}_URL: set both`];
    return token !== undefined && url?.startsWith('file:')
      ? [`ORIGIN_${origin}_URL must be a node URL if ORIGIN_${origin}_TOKEN is set, got a file URL`]
      : [];
  });
}
