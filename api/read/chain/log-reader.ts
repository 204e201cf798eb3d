import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Position } from '../../terms/cursor.ts';
import type { LogRecord } from '../../terms/records.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockWindow } from './block-window.ts';
import type { SortOrder } from './paging.ts';
import { type EmittedDeps, readEmitted } from './read-emitted.ts';

/** Means no limit: no contract has as many logs. */
const allPlaces = 4_000_000_000;
const zeroTopic = '0'.repeat(64);

/** Topics as 64 hex digits; empty: any. any1 to any3: 1 joins the topic to the topics before by OR, 0 by AND. */
export type TopicFilter = Record<`topics${0 | 1 | 2 | 3}`, string> & Record<`any${1 | 2 | 3}`, number>;

export const anyTopics: TopicFilter = { topics0: '', topics1: '', topics2: '', topics3: '', any1: 0, any2: 0, any3: 0 };

export const logPosition = (row: LogRecord): Position => ({ block: Number(row.block_number), index: row.log_index });

type LogRead = (
  window: BlockWindow & { readonly order: SortOrder },
  after: Position,
  limit: number,
) => Promise<LogRecord[]>;

const ofAll = { asc: 'logs_asc', desc: 'logs_desc' } as const;
const ofEmitter = { asc: 'logs_of_emitter_asc', desc: 'logs_of_emitter_desc' } as const;

/** Returns a function that reads logs. @param address contract that emitted the logs; undefined: any */
export function logReader(
  deps: StoreDeps & EmittedDeps,
  state: ChainState,
  address: string | undefined,
  topics: TopicFilter,
): LogRead {
  // missing topics are stored as zeros: a look-up of a zero topic must not be limited, because SQL drops logs without
  // the topic later
  const isOpen = Object.values(topics).includes(zeroTopic);
  return ({ order, ...window }, after, limit) => {
    const name = (address === undefined ? ofAll : ofEmitter)[order];
    const read = (part: ChainState, { fromBlock, toBlock }: BlockWindow, count: number) =>
      deps.database.readBinary(name, {
        ...snapshotParameters(part),
        ...topics,
        address: address === undefined ? '' : hexDigits(address),
        place_limit: isOpen ? allPlaces : count,
        from_block: fromBlock,
        to_block: toBlock,
        at_block: after.block,
        at_index: after.index,
        limit: count,
      });
    if (address === undefined) return read(state, window, limit);
    return readEmitted(deps, state, { emitter: address, order, window, after, limit }, read);
  };
}
