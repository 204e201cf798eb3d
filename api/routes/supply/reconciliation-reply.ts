import { z } from 'zod';
import { isoTime, isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { indexInfo } from '../../read/chain/freshness.ts';
import { fat } from '../../read/charts/decimals.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import { isStale } from '../../read/supply/as-of.ts';
import { asymptoticSupply, yearSeconds } from '../../read/supply/emission.ts';
import type { Migration } from '../../read/supply/migration.ts';
import type { OriginReading } from '../../read/supply/origins.ts';
import type { Reconciliation, SupplyDeps } from '../../read/supply/reconcile.ts';
import type { SupplySettings } from '../../read/supply/settings.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';

const Amount = z
  .strictObject({ wei: Wei, fat: z.string().regex(/^-?\d+(\.\d+)?$/) })
  .meta({ id: 'SupplyAmount', description: 'Amount in wei, and in FAT (the native coin) with all decimals' });

const Origin = z
  .strictObject({
    origin: z.string().meta({
      description:
        'Chain from which coins were migrated (origin chain): originChain of the Migrated events of the bridge, 1 or 2 for the configured chains',
    }),
    burned: Amount.nullable(),
    migrated: Amount.nullable().meta({ description: 'null if no bridge is configured' }),
    mints: Count.nullable(),
    difference: Amount.nullable().meta({
      description:
        'Amount burned on the origin chain minus amount migrated from it; null if the burned amount is unknown',
    }),
    source: z
      .strictObject({
        kind: z.enum(['node', 'document']).nullable(),
        name: z.string().nullable(),
        block: Count.nullable(),
        asOf: z.string().nullable(),
        readAt: IsoTime,
        fault: z.enum(['not_configured', 'unreachable', 'unreadable']).nullable(),
      })
      .nullable()
      .meta({
        description: 'Source of the burned amount, a node or a document; null if the origin chain is not configured',
      }),
  })
  .meta({ id: 'SupplyOrigin' });

export const SupplyReconciliation = z
  .strictObject({
    chainId: Count,
    asOfBlock: Count,
    asOfBlockHash: HexHash,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    computedAt: IsoTime,
    stale: z.boolean().meta({
      description: 'true if the amounts could not be updated recently, or newer blocks are missing in the index',
    }),
    index: IndexInfo,
    total: Amount,
    circulating: Amount,
    formula: z.strictObject({ total: z.string(), circulating: z.string() }),
    genesis: Amount,
    emitted: z.strictObject({ amount: Amount, source: z.enum(['rewards', 'schedule']) }),
    emission: z.strictObject({
      schedule: z.strictObject({
        emitted: Amount,
        start: UnixSeconds,
        era: Count,
        eraStart: UnixSeconds,
        nextHalving: UnixSeconds,
        annual: Amount,
        annualOfEra1: Amount,
        eraYears: Count,
        yearSeconds: Count,
        asymptoticSupply: Amount.meta({
          description: 'Limit that the supply approaches: genesis supply plus all scheduled emission',
        }),
      }),
      rewards: z
        .strictObject({
          emitted: Amount,
          count: Count.nullable().meta({
            description: 'Number of reward events that were summed; null if the sum comes from a node method',
          }),
          contract: HexAddress.nullable(),
          method: z
            .string()
            .nullable()
            .meta({ description: 'Node method that returned the sum of rewards; null if reward events were summed' }),
          difference: Amount,
        })
        .nullable()
        .meta({
          description:
            'Block rewards according to contract events or a node method; null if neither is configured. The field difference is the rewards minus the scheduled emission',
        }),
      publishedMaximum: Amount.meta({
        description: 'Maximum supply as published; it is not derived from the emission schedule',
      }),
    }),
    feesBurned: z.strictObject({ amount: Amount, isCounted: z.boolean() }),
    excluded: z.array(z.strictObject({ address: HexAddress, reason: z.string(), amount: Amount })),
    legacy: z.strictObject({ isExcluded: z.literal(true), note: z.string() }),
    migration: z.strictObject({
      bridge: HexAddress.nullable(),
      burned1: Amount.nullable(),
      burned2: Amount.nullable(),
      totalBurned: Amount.nullable(),
      totalMigrated: Amount.nullable().meta({ description: 'null if no bridge is configured' }),
      invariant: z.literal('burned(origin 1) + burned(origin 2) == totalMigrated'),
      invariantHolds: z.boolean().nullable().meta({
        description:
          'true if the burned amounts equal the migrated amounts; null if a burned total could not be read, or no bridge is configured',
      }),
      state: z.enum(['holds', 'burns_pending', 'broken', 'unknown']),
      isCountedOnTop: z.boolean(),
      origins: z.array(Origin),
      nullifiers: z.strictObject({
        holds: z.boolean().nullable().meta({
          description:
            'true if each nullifier (id of a burn) occurs in only one migration: then no burn was minted twice; null if no bridge is configured',
        }),
        repeated: z.array(z.strictObject({ nullifier: HexHash, mints: Count, excess: Amount })),
      }),
    }),
    alerts: z.array(z.string()),
  })
  .meta({ id: 'SupplyReconciliation' });

const amount = (wei: bigint) => ({ wei: wei.toString(), fat: fat(wei) });
const nullableAmount = (wei: bigint | null | undefined) => (wei === null || wei === undefined ? null : amount(wei));

export function reconciliationReply(
  { settings }: ChainDeps & Pick<SupplyDeps, 'settings'>,
  reconciliation: Reconciliation,
  index: ReturnType<typeof indexInfo>,
): z.input<typeof SupplyReconciliation> {
  const { supply } = settings;
  const { emission, rewards } = reconciliation;
  return {
    chainId: settings.chainId,
    asOfBlock: reconciliation.block,
    asOfBlockHash: reconciliation.blockHash,
    timestamp: reconciliation.time,
    datetime: isoTime(reconciliation.time),
    computedAt: isoTimeFromMs(reconciliation.computedAtMs),
    stale: isStale(index, reconciliation),
    index,
    total: amount(reconciliation.total),
    circulating: amount(reconciliation.circulating),
    formula: {
      total: `genesis + emitted${supply.isMigratedOnTop ? ' + totalMigrated' : ''}${supply.areFeesBurned ? ' - feesBurned' : ''}`,
      circulating: 'total - excluded',
    },
    genesis: amount(supply.schedule.genesis),
    emitted: { amount: amount(rewards?.amount ?? emission.emitted), source: rewards ? 'rewards' : 'schedule' },
    emission: emissionReply(supply, reconciliation),
    feesBurned: { amount: amount(reconciliation.feesBurned), isCounted: supply.areFeesBurned },
    excluded: reconciliation.excluded.map(({ balance, ...account }) => ({ ...account, amount: amount(balance) })),
    legacy: {
      isExcluded: true,
      note: 'These figures count only native FAT, not the legacy tokens on other chains that holders burn in exchange for FAT',
    },
    migration: migrationReply(supply, reconciliation.migration),
    alerts: [...reconciliation.migration.alerts],
  };
}

function emissionReply(
  { schedule, rewardContract, emissionMethod, publishedMaximum }: SupplySettings,
  { emission, rewards, emissionStart }: Reconciliation,
) {
  return {
    schedule: {
      emitted: amount(emission.emitted),
      start: emissionStart,
      era: emission.era,
      eraStart: emission.eraStart,
      nextHalving: emission.nextHalving,
      annual: amount(emission.annual),
      annualOfEra1: amount(schedule.annual),
      eraYears: schedule.eraYears,
      yearSeconds,
      asymptoticSupply: amount(asymptoticSupply(schedule)),
    },
    rewards: rewards
      ? {
          emitted: amount(rewards.amount),
          count: rewards.count,
          contract: rewardContract ?? null,
          method: emissionMethod ?? null,
          difference: amount(rewards.amount - emission.emitted),
        }
      : null,
    publishedMaximum: amount(publishedMaximum),
  };
}

function migrationReply({ bridge, isMigratedOnTop: isCountedOnTop }: SupplySettings, migration: Migration) {
  const readBurned = (origin: string) =>
    nullableAmount(migration.origins.find((row) => row.origin === origin)?.reading?.burned);
  return {
    bridge: bridge ?? null,
    burned1: readBurned('1'),
    burned2: readBurned('2'),
    totalBurned: nullableAmount(migration.totalBurned),
    totalMigrated: nullableAmount(migration.totalMigrated),
    invariant: 'burned(origin 1) + burned(origin 2) == totalMigrated' as const,
    invariantHolds: migration.invariantHolds,
    state: migration.state,
    isCountedOnTop,
    origins: migration.origins.map(({ origin, reading, mints, migrated, difference }) => ({
      origin,
      mints,
      burned: nullableAmount(reading?.burned),
      migrated: nullableAmount(migrated),
      difference: nullableAmount(difference),
      source: reading ? toSource(reading) : null,
    })),
    nullifiers: {
      holds: migration.totalMigrated === null ? null : migration.repeated.length === 0,
      repeated: migration.repeated.map(({ excess, ...row }) => ({ ...row, excess: amount(excess) })),
    },
  };
}

function toSource({ source, name, block, asOf, readAtMs, fault }: OriginReading) {
  return { kind: source, name, block, asOf, readAt: isoTimeFromMs(readAtMs), fault };
}
