import { id } from 'ethers';
import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getTopics, type LogRecord } from '../../terms/records.ts';
import { maxBlock } from '../chain/paging.ts';

/** @source EIP-1967 */
const events = { implementation: id('Upgraded(address)'), beacon: id('BeaconUpgraded(address)') } as const;

export interface Upgrade {
  /** What `address` is: a new implementation, or a new beacon, which returns the implementation. */
  readonly kind: keyof typeof events;
  readonly address: string;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly txHash: string;
  readonly timestamp: number;
}

/** Returns the upgrades in events of a proxy or beacon, newest first. */
export async function readUpgrades(
  database: Database,
  state: ChainState,
  emitter: string,
  limit: number,
): Promise<Upgrade[]> {
  const found = await Promise.all(
    Object.entries(events).map(async ([kind, topic]) => {
      const logs = await database.readBinary('logs_of_emitter_desc', {
        ...snapshotParameters(state),
        ...{ address: hexDigits(emitter), topics0: hexDigits(topic), topics1: '', topics2: '', topics3: '' },
        ...{ any1: 0, any2: 0, any3: 0, from_block: 0, to_block: maxBlock, at_block: maxBlock, at_index: 0 },
        ...{ limit: 2 * limit, place_limit: limit }, // the statement may return duplicate rows
      });
      const distinct = distinctBy(logs, (log) => `${log.block_number}:${log.log_index}`);
      return distinct.flatMap((log) => parseUpgrade(kind as Upgrade['kind'], log));
    }),
  );
  const newestFirst = found.flat().sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex);
  return newestFirst.slice(0, limit);
}

/** Events after which a proxy, beacon or diamond can run other code. @source EIP-1967; EIP-2535, IDiamondCut */
const changeTopics = [...Object.values(events), id('DiamondCut((address,uint8,bytes4[])[],address,bytes)')];

/**
 * Returns by emitter the first block that ran only the current implementation. A single event is that of the creation:
 * no other implementation ran in its block.
 */
export async function readStarts(
  database: Database,
  state: ChainState,
  emitters: readonly string[],
): Promise<Map<string, number>> {
  if (emitters.length === 0) return new Map();
  const asked = { addresses: emitters.map(hexDigits), topics: changeTopics.map(hexDigits) };
  const rows = await database.read('last_upgrades', { ...snapshotParameters(state), ...asked });
  return new Map(
    rows.map(({ emitter, last_block, changes }) => [emitter, Number(last_block) + (Number(changes) > 1 ? 1 : 0)]),
  );
}

/** Some old proxies emit the address as data instead of a topic. */
function parseUpgrade(kind: Upgrade['kind'], log: LogRecord): Upgrade[] {
  const [, word = log.data.slice(0, 66)] = getTopics(log);
  const [, address] = /^0x0{24}([0-9a-f]{40})$/.exec(word) ?? [];
  if (address === undefined) return [];
  const { block_number, log_index: logIndex, tx_hash: txHash, timestamp } = log;
  return [{ kind, address: `0x${address}`, blockNumber: Number(block_number), logIndex, txHash, timestamp }];
}
