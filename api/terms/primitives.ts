import { getAddress } from 'ethers';
import { z } from 'zod';
import { maxUint256 } from '#chain/codec/hex.ts';

export const maxLimit = 200;
export const defaultLimit = 50;

/** Returns the JSON Schema of an integer, for the API documentation. */
export const integerFrom = (minimum: number, maximum = 999_999_999_999_999) =>
  ({ type: 'integer', minimum, maximum }) as const;

const hex = (bytes: number) => new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`);

/** Removes the chain of an account id such as eip155:1:0x…. @source CAIP-10 */
export const withoutChain = (account: string): string => account.replace(/^eip155:\d+:/i, '');

/**
 * Accepts a CAIP-10 prefix. Mixed case requires a valid EIP-55 checksum. The result is in lower case, without prefix.
 */
export const Address = z
  .string()
  .transform(withoutChain)
  .refine((text) => hex(20).test(text), 'must be an address: 0x and 40 hex digits')
  .refine(
    hasValidChecksum,
    'has an invalid EIP-55 checksum: send the address in lower case or with the correct checksum',
  )
  .transform((text) => text.toLowerCase())
  .meta({ description: 'Address, 0x and 40 hex digits', example: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' });

export const TxHash = z
  .string()
  .regex(hex(32), 'must be a hash: 0x and 64 hex digits')
  .toLowerCase()
  .meta({ description: 'Hash, 0x and 64 hex digits' });

export const BlockNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a block number: decimal, not negative')
  .transform(Number)
  .meta({ ...integerFrom(0), description: 'Block number', example: '1000' });

/** Numbers above all blocks are accepted: clients send the largest integer for "until now". */
export const LastBlock = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a block number: decimal, not negative')
  .transform((text) => Math.min(Number(text), 999_999_999_999_999))
  .meta({ ...integerFrom(0), description: 'Last block of the range', example: '1000' });

const maxTime = 4_294_967_295;

export const UnixTime = z
  .string()
  .regex(/^\d{1,10}$/, 'must be Unix seconds: decimal, not negative')
  .transform(Number)
  .refine((time) => time <= maxTime, 'must be Unix seconds below 2^32')
  .meta({ ...integerFrom(0, maxTime), description: 'Time in Unix seconds, inclusive', example: '1700000000' });

/** Accepts decimal digits. Empty text is an error: it usually comes from an unset variable. */
export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`)
    .meta(integerFrom(minimum, maximum));

/** Parsed without 0x. */
export const MethodId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/, 'must be a method id: 0x and 8 hex digits')
  .transform((text) => text.slice(2).toLowerCase())
  .meta({ description: 'Method id, 0x and 8 hex digits', example: '0xa9059cbb' });

export const MethodName = z.string().nullable().meta({
  description:
    'Name of the function that a signature database gives for methodId, for example transfer; null if no function is known, or if equally trusted signatures share the id. The called contract can declare another function with this id',
});

const amountIn = (unit: string) =>
  z
    .string()
    .regex(/^\d{1,78}$/, { error: `must be an amount in ${unit}: decimal, not negative`, abort: true })
    .refine((text) => BigInt(text) <= maxUint256, `must be an amount in ${unit}, below 2^256`)
    .meta({ description: `Amount in ${unit}, decimal`, example: '1000000000000000000' });

export const WeiAmount = amountIn('wei');
export const TokenAmount = amountIn('the smallest unit of the token');

/** For descriptions of filters that no index fits. */
export const shortPages =
  'Each page reads a limited number of rows, so it may be short or empty although hasMore is true';

export const Limit = z
  .string()
  .regex(/^[1-9]\d{0,77}$/, 'must be a whole number of at least 1; values above 200 are reduced to 200')
  .transform((text) => Math.min(Number(text), maxLimit))
  .meta({
    ...integerFrom(1, maxLimit),
    description: 'Maximum number of rows on a page; values above 200 are reduced to 200',
    example: '50',
  })
  .default(defaultLimit);

export const Order = z
  .enum(['asc', 'desc'], 'must be asc or desc')
  .default('desc')
  .meta({ description: 'Order of the rows. desc: newest first; asc: oldest first' });

export const maxCursorLength = 512;

/** Rows that numbered pages can reach. Later rows need a cursor. */
export const maxNumberedRows = 10_000;

const PageNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number of at least 1')
  .transform(Number)
  .meta({
    ...integerFrom(1, maxNumberedRows),
    description: `Page by number instead of by cursor, at most ${maxNumberedRows} / limit. Rows move to later pages while the chain grows: to get each row once, use cursor. The request also costs one for each ${maxLimit} rows of earlier pages`,
    example: '1',
  });

export const Cursor = z
  .string()
  .max(
    maxCursorLength,
    `must be a cursor of at most ${maxCursorLength} characters: send nextCursor of the previous page unchanged`,
  )
  .meta({ description: 'Start of the page: the value of nextCursor in the previous page' });

/** Returns false only for mixed case that differs from the checksum. @param address 0x hex @source EIP-55 */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  try {
    return getAddress(address) === address;
  } catch {
    return false;
  }
}

export const HexAddress = z.string().regex(/^0x[0-9a-f]{40}$/);
export const HexHash = z.string().regex(/^0x[0-9a-f]{64}$/);
export const HexData = z.string().regex(/^0x[0-9a-f]*$/);
export const Wei = z
  .string()
  .regex(/^-?\d+$/)
  .meta({ description: 'Amount in wei, decimal' });
export const Count = z.number().int().nonnegative();
export const ReceiptStatus = z.union([z.literal(0), z.literal(1)]);
export const UnixSeconds = z.number().int();
export const IsoTime = z.string().regex(/^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** Newest block of the index and of the chain. */
export const IndexInfo = z
  .strictObject({
    head: Count.meta({ description: 'Newest block that the reply includes' }),
    headHash: HexHash.meta({ description: 'Hash of the block `head`' }),
    chainHead: Count.meta({ description: 'Newest block that a node has reported' }),
    lagBlocks: Count.meta({ description: '`chainHead` minus `head`' }),
    complete: z.boolean().meta({
      description:
        'true if no block up to `head` is missing or contradicted by a node, `lagBlocks` is at most FRESHNESS_TOLERANCE_BLOCKS, and a node or the pipeline has reported a block in the last 15 s. false also for values that need blocks before START_BLOCK',
    }),
    doubtedFrom: Count.nullable().meta({
      description:
        'Number of the first finalized block for which a node reports another hash than the index; null if there is none. Do not rely on this block or later blocks',
    }),
  })
  .meta({ id: 'IndexInfo' });

/** Returns the schema of a list reply, named `<name>Page` if the item schema has a name. */
export function toListSchema<T extends z.ZodType>(item: T) {
  const list = z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
    limit: Count,
    index: IndexInfo,
  });
  const name = item.meta()?.id;
  return name === undefined ? list : list.meta({ id: `${name}Page` });
}

export const timeRange = {
  fromTime: UnixTime.optional().meta({ description: 'Start of the time range, Unix seconds, inclusive' }),
  toTime: UnixTime.optional().meta({ description: 'End of the time range, Unix seconds, inclusive' }),
};

export const pageParameters = { limit: Limit, cursor: Cursor.optional(), page: PageNumber.optional() };

export const listWindow = {
  fromBlock: BlockNumber.optional().meta({ description: 'First block of the range' }),
  toBlock: LastBlock.optional(),
  ...timeRange,
  order: Order,
  ...pageParameters,
};
