/** Configuration of price, supply and markets. */
import cron from 'node-cron';
import { z } from 'zod';
import { blank, count } from './config-fields.ts';

const address = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is no address')
  .toLowerCase();
const oneAddress = (text: string) => z.preprocess(blank, address.optional()).describe(text);
const list = <T extends z.ZodType>(item: T, text: string) =>
  z
    .preprocess(
      (value) =>
        value === undefined || value === ''
          ? []
          : String(value)
              .split(',')
              .map((part) => part.trim()),
      z.array(item),
    )
    .describe(text);
const flag = (fallback: 'true' | 'false', text: string) =>
  z.preprocess(blank, z.enum(['true', 'false']).default(fallback)).describe(text);
const source = (text: string) =>
  z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^(https?:\/\/|file:\/\/)/, 'is no http(s) or file URL')
        .optional(),
    )
    .describe(text);

const namedPool = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{40}:){2}0x[0-9a-fA-F]{40}$/, 'is not pool:token0:token1')
  .toLowerCase()
  .transform((text) => {
    const [pool, token0, token1] = text.split(':') as [string, string, string];
    return { address: pool, token0, token1 };
  });

const excluded = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}=.{1,80}$/, 'is not address=reason')
  .transform((text) => ({ address: text.slice(0, 42).toLowerCase(), reason: text.slice(43) }));

const host = z
  .string()
  .regex(/^[a-z0-9.-]+\.[a-z]{2,}(:\d{1,5})?$/i, 'is no host name')
  .toLowerCase();

export const economyFields = {
  WFAT_ADDRESS: oneAddress('Wrapped coin, 1:1; absent with RPC_URL: there is no price'),
  STABLECOINS: list(address, 'Tokens that count as a dollar, comma separated addresses'),
  DEX_FACTORIES: list(address, 'Factories whose pools the price is drawn from, comma separated addresses'),
  DEX_POOLS: list(namedPool, 'Pools without a factory, comma separated pool:token0:token1'),
  PRICE_WINDOW_SECONDS: count(86_400, 'Window of the price, back from the head, seconds', 60, 31_622_400),
  PRICE_MIN_LIQUIDITY: count(1_000, 'Whole dollars that a pool must hold to count'),
  PRICE_MIN_TRADE_CENTS: count(1, 'Cents below which a trade does not count', 0),
  PRICE_OUTLIER_PERCENT: count(20, 'Trades further than this from the median price do not count, percent', 1, 10_000),
  PRICE_STALE_SECONDS: count(3_600, 'Age of the last trade at which the price counts as stale, seconds', 1),
  EMISSION_GENESIS_FAT: count(10_000_000_000, 'Supply at genesis, FAT'),
  EMISSION_ANNUAL_FAT: count(500_000_000, 'Emission of a year in era 1, FAT'),
  EMISSION_ERA_YEARS: count(4, 'Years of an era, of 365.25 days; the emission halves after each', 1, 1_000),
  EMISSION_PUBLISHED_MAX_FAT: count(
    18_000_000_000,
    'Asymptotic supply as published, FAT; shown beside the computed one',
  ),
  EMISSION_START: z
    .preprocess(blank, z.coerce.number().int().min(0).optional())
    .describe('Start of emission, Unix seconds; absent: time of block 0'),
  REWARD_CONTRACT: oneAddress(
    'Emitter of RewardMinted(address indexed producer, uint256 amount), by which block rewards are counted',
  ),
  EMISSION_METHOD: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^x_[A-Za-z0-9_]{1,64}$/, 'is no x_ method')
        .optional(),
    )
    .describe('Method of the node that tells what was emitted up to a block, in place of REWARD_CONTRACT'),
  FEES_BURNED: flag('true', 'true: the base fee is destroyed, and no part of the supply'),
  MIGRATED_ON_TOP: flag('false', 'true: migrated amounts come on top of the genesis supply, else out of it'),
  SUPPLY_EXCLUDED: list(excluded, 'Accounts that do not circulate, comma separated address=reason'),
  BRIDGE_ADDRESS: oneAddress(
    'Bridge that emits Migrated(bytes32 indexed nullifier, uint256 indexed originChain, address indexed recipient, uint256 amount, bytes32 burnReference)',
  ),
  ORIGIN_1_URL: source(
    'Where the burned total of origin chain 1 is read: a node with ORIGIN_1_TOKEN, else a JSON document {"burned": "<wei>", "asOf": …}; http(s) or file URL',
  ),
  ORIGIN_1_TOKEN: oneAddress('Legacy token on origin chain 1, asked for totalBurned()'),
  ORIGIN_2_URL: source('As ORIGIN_1_URL, of origin chain 2'),
  ORIGIN_2_TOKEN: oneAddress('Legacy token on origin chain 2, asked for totalBurned()'),
  FEED_HOSTS: list(host, 'Hosts that order-book feeds may be on, comma separated, with a port where it is not 443'),
  DEV_FEED: z
    .preprocess(blank, z.string().optional())
    .describe(
      'File in which the dev chain says where its order-book feed is; refused with RPC_URL: it is a venue on this machine',
    ),
  ORDER_BOOK_CAP: count(50, 'Levels of an order book that are kept and shown, each side', 1, 1_000),
  FEED_SCHEDULE: z
    .preprocess(
      blank,
      z
        .string()
        .refine((text) => cron.validate(text), 'is no cron expression')
        .default('*/10 * * * * *'),
    )
    .describe('When feeds are read again: cron with seconds, UTC'),
  FEED_STALE_SECONDS: count(60, 'Age at which an order book counts as stale, seconds', 1),
  FEED_TIMEOUT_MS: count(3_000, 'Time-out of reading a feed, the whole of it, ms', 100, 30_000),
  FEED_MAX_BYTES: count(1_048_576, 'Largest feed, bytes after decompression', 1_024, 16_777_216),
};

type EconomyInput = {
  readonly [name in `ORIGIN_${1 | 2}_${'URL' | 'TOKEN'}` | 'DEV_FEED' | 'REWARD_CONTRACT' | 'EMISSION_METHOD']?:
    | string
    | undefined;
} & {
  readonly RPC_URL?: readonly string[] | undefined;
};

/** What contradicts itself, one line each. */
export function economyFaults(config: EconomyInput): string[] {
  const isForeign = config.DEV_FEED !== undefined && config.RPC_URL !== undefined;
  return [
    ...(isForeign ? ['DEV_FEED is set with RPC_URL: it is of the dev chain alone'] : []),
    ...originFaults(config),
  ];
}

function originFaults(config: EconomyInput): string[] {
  return ([1, 2] as const).flatMap((origin) => {
    const [url, token] = [config[`ORIGIN_${origin}_URL`], config[`ORIGIN_${origin}_TOKEN`]];
    if (token !== undefined && url === undefined) return [`ORIGIN_${origin}_TOKEN is set without ORIGIN_${origin}_URL`];
    return token !== undefined && url?.startsWith('file:')
      ? [`ORIGIN_${origin}_URL is a file, which has no token`]
      : [];
  });
}
