import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import { firstOfNewest } from '../../read/chain/block-window.ts';
import { chainHead, indexInfo } from '../../read/chain/freshness.ts';
import type { ValidatorReader, ValidatorSet } from '../../read/chain/validators.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { AddressLabel, type LabelDeps, readLabels } from '../../read/registry/address-labels.ts';
import { Count, HexAddress, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';
import { computeShare } from '../tokens/list-holders.ts';

/** Number of newest blocks whose producers are listed. An active validator produced at least one of them. */
const windowBlocks = 10_000;

const Validator = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the validator as reported by the node; null if the node reports none' }),
    labels: z.array(AddressLabel),
    status: z.enum(['active', 'producer', 'idle']).meta({
      description:
        'active: the validator is in the validator set and produced some of the latest 10000 blocks. idle: it is in the set but produced none. producer: it produced blocks but is not in the set, or the set is unknown',
    }),
    blocks: Count.meta({ description: 'Number of blocks that this validator produced among the latest 10000 blocks' }),
    share: z
      .string()
      .nullable()
      .meta({ description: 'Share of the latest 10000 blocks that this validator produced, 0 to 1' }),
    turns: Count.nullable().meta({
      description:
        'How many of the latest 10000 blocks the schedule assigned to this validator, since the list of validators last changed; null if the schedule is unknown or assigned none',
    }),
    missed: Count.nullable().meta({
      description: 'Number of blocks assigned to this validator that another validator produced; null if `turns` is',
    }),
    uptime: z.string().nullable().meta({
      description: 'Of the blocks assigned to this validator, the share that it produced, 0 to 1; null if `turns` is',
    }),
    tips: Wei.meta({ description: 'Sum of the fees above the base fee in the blocks of this validator, wei' }),
    lastBlock: Count.nullable(),
    lastSeen: UnixSeconds.nullable(),
    lastSeenDatetime: IsoTime.nullable(),
  })
  .meta({ id: 'Validator' });

type ProducerRecord = RowOf<'producers'>;
type TurnRecord = RowOf<'turns'>;

interface ValidatorDeps extends LabelDeps {
  readonly validators: ValidatorReader;
}

/** @source docs/registry.md#validators */
export const listValidators = defineRoute({
  id: 'listValidators',
  base: '/api/v1',
  path: '/validators',
  methods: ['get'],
  tag: 'network',
  summary: 'Validators that produced the latest 10000 blocks',
  description:
    'If the node reports the schedule of validators, the reply also counts the blocks that each validator missed.',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({
    items: z.array(Validator),
    total: Count,
    window: z.strictObject({ blocks: Count, fromBlock: Count, toBlock: Count }),
    schedule: z.enum(['round-robin']).nullable(),
    source: z.string().meta({
      description:
        'Sources of the list of validators: the producers of blocks, and the node method that returned the validator set',
    }),
    fault: z
      .string()
      .nullable()
      .meta({ description: 'Reason why the node method returned no validator set; null if it returned one' }),
    asOf: Count.meta({ description: 'Newest block that the list includes' }),
    index: IndexInfo,
  }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/validators',
  handle: async (deps: ValidatorDeps & SnapshotDeps & CoverageDeps & ChainDeps) => {
    const answer = await deps.validators.read();
    const set = answer && 'validators' in answer ? answer : undefined;
    return deps.snapshots.run(async (state) => {
      const [rows, turns] = await Promise.all([readProducers(deps, state), readTurns(deps, state, set)]);
      const blocks = Number(rows[0]?.window_total ?? 0);
      const produced = new Map(rows.map((row) => [row.address, row]));
      const addresses = [...new Set([...produced.keys(), ...(set?.validators.map(({ address }) => address) ?? [])])];
      const labels = await readLabels(deps, addresses);
      const names = new Map(set?.validators.map(({ address, name }) => [address, name ?? null]));
      const items = addresses.map((address) => ({
        chainId: deps.settings.chainId,
        address,
        name: names.get(address) ?? null,
        labels: labels.get(address) ?? [],
        status: getStatus(produced.has(address), names.has(address)),
        ...producerFields(produced.get(address), blocks),
        ...turnFields(turns.get(address)),
      }));
      return {
        items,
        total: items.length,
        schedule: set?.schedule ?? null,
        window: { blocks, fromBlock: Math.max(state.startBlock, state.head - windowBlocks + 1), toBlock: state.head },
        source: set ? `block producers; ${deps.validators.method}` : 'block producers',
        fault: answer && 'fault' in answer ? answer.fault : null,
        asOf: state.head,
        index: indexInfo(deps, state),
      };
    });
  },
});

const getStatus = (isProducing: boolean, isListed: boolean) =>
  !isListed ? ('producer' as const) : isProducing ? ('active' as const) : ('idle' as const);

function readProducers({ database }: StoreDeps, state: ChainState): Promise<ProducerRecord[]> {
  return database.read('producers', {
    ...snapshotParameters(state),
    from_block: firstOfNewest(state, windowBlocks),
    limit: windowBlocks,
  });
}

async function readTurns(
  deps: CoverageDeps & ValidatorDeps,
  state: ChainState,
  set: ValidatorSet | undefined,
): Promise<Map<string, TurnRecord>> {
  const { database, validators } = deps;
  if (!set?.schedule || set.validators.length === 0) return new Map();
  const rows = await database.read('turns', {
    ...snapshotParameters(state),
    from_block: Math.max(firstOfNewest(state, windowBlocks), validators.getTurnsStart(set, chainHead(deps, state))),
    validators: set.validators.map(({ address }) => hexDigits(address)),
  });
  return new Map(rows.map((row) => [row.address, row]));
}

function producerFields(row: ProducerRecord | undefined, blocks: number) {
  if (!row)
    return {
      blocks: 0,
      share: computeShare(0n, BigInt(blocks)),
      tips: '0',
      lastBlock: null,
      lastSeen: null,
      lastSeenDatetime: null,
    };
  return {
    blocks: Number(row.block_count),
    share: computeShare(BigInt(row.block_count), BigInt(blocks)),
    tips: row.tips,
    lastBlock: Number(row.last_block),
    lastSeen: row.last_time,
    lastSeenDatetime: isoTime(row.last_time),
  };
}

function turnFields(row: TurnRecord | undefined) {
  if (!row) return { turns: null, missed: null, uptime: null };
  const [turns, missed] = [Number(row.turns), Number(row.missed)];
  return { turns, missed, uptime: computeShare(BigInt(turns - missed), BigInt(turns)) };
}
