/**
 * Creates views decoded_events_0x… of a contract's events from its verified ABI. Each event parameter has a column
 * <event>_<parameter>, null in rows of other events. Arrays and structs are JSON text.
 * @source Solidity docs, Contract ABI Specification, Events
 */
import type { EventFragment, ParamType } from 'ethers';
import type { Database } from '#sql/client.ts';
import { includeFragments } from '#sql/compile/load-sql.ts';
import { createView } from '#sql/public-views.ts';
import { StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { readInterfaces } from '../contracts/interfaces-of.ts';
import { listEvents } from '../contracts/parse-abi.ts';
import type { SourceReadDeps } from '../contracts/read-source.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { decodeData, decodeTopic } from './decode-abi.ts';
import { decodedPrefix } from './user-statement.ts';

const maxColumns = 300;

/** Views that this process created: SQL by contract. */
const created = new WeakMap<Database, Map<string, string>>();

/**
 * Creates the views of contracts whose ABI is new or has changed.
 * @param addresses 40 hex digits each
 * @throws ApiProblem bad_query if a contract has no verified events, node_unavailable if no node returned its code
 */
export async function createDecodedViews(
  deps: SourceReadDeps & StoreDeps,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  const { of: interfaces, isComplete } = await readInterfaces(
    deps,
    addresses.map((digits) => `0x${digits}`),
  );
  const known = created.get(deps.database) ?? new Map<string, string>();
  created.set(deps.database, known);
  for (const address of addresses) {
    const abi = interfaces.get(`0x${address}`);
    const events = abi ? listEvents(abi) : [];
    if (events.length === 0 && !isComplete)
      throw new ApiProblem(
        'node_unavailable',
        `the events of 0x${address} are unknown: no node returned its code, or the ABIs of the statement are too large`,
      );
    const select = selectEvents(address, events);
    if (select === undefined)
      throw new ApiProblem('bad_query', `contract 0x${address} has no events in verified source code`);
    if (known.get(address) === select) continue;
    const view = { name: `${decodedPrefix}${address}`, what: `events of 0x${address}`, select };
    await createView(deps.database, view).catch((error: unknown) => {
      if (error instanceof StoreError && error.retryable) throw error;
      throw new ApiProblem('bad_query', `the events of contract 0x${address} can not be decoded`);
    });
    known.set(address, select);
  }
}

function selectEvents(address: string, events: readonly EventFragment[]): string | undefined {
  const named = nameEvents(events.filter(({ anonymous }) => !anonymous));
  const columns = listColumns(named).slice(0, maxColumns);
  if (named.length === 0) return undefined;
  const topics = named.map(({ event }) => toTopic(event)).join(', ');
  const names = named.map(({ name, event }) => `${isEvent(event)}, '${name}'`).join(', ');
  return includeFragments(`SELECT block_number, log_index, tx_index, tx_hash, timestamp, multiIf(${names}, '') AS event${columns.map((column) => `,\n    ${column}`).join('')}
FROM (
    SELECT block_number, log_index, tx_index, tx_hash, timestamp, topic_count AS ${own('topic_count')}, topic0 AS ${own('topic0')},
        topic1 AS ${own('topic1')}, topic2 AS ${own('topic2')}, topic3 AS ${own('topic3')}, data AS ${own('data')}
    FROM logs FINAL
    WHERE {{visible}} AND address = unhex('${address}') AND topic_count > 0 AND topic0 IN (${topics})
        AND (block_number, log_index) IN (SELECT block_number, log_index FROM logs_by_address
            WHERE address = unhex('${address}') AND topic0 IN (${topics}) AND {{visible}})
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
WHERE event != ''`);
}

const baseColumns = ['block_number', 'log_index', 'tx_index', 'tx_hash', 'timestamp', 'event'];

/** Gives a column of logs a name that no event column can have. */
const own = (name: string) => `\`log.${name}\``;

function unique(name: string, taken: Set<string>): string {
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name}_${number}`;
  taken.add(found);
  return found;
}

interface NamedEvent {
  readonly name: string;
  readonly event: EventFragment;
}

/**
 * Names events. If several signatures share a name, adds the start of the topic: a contract upgrade must not change a
 * name's meaning.
 */
export function nameEvents(events: readonly EventFragment[]): NamedEvent[] {
  const topics = new Map<string, Set<string>>();
  const named = events.map((event) => ({ name: safeName(event.name, 'event'), event }));
  for (const { name, event } of named) topics.set(name, (topics.get(name) ?? new Set()).add(event.topicHash));
  return named.map(({ name, event }) => {
    const isAlone = topics.get(name)?.size === 1;
    return { name: isAlone ? name : `${name}_${event.topicHash.slice(2, 10)}`, event };
  });
}

/** Returns `otherwise` for a name that is unsafe in SQL. ABIs are untrusted. */
const safeName = (name: string, otherwise: string) => (/^[A-Za-z_]\w{0,60}$/.test(name) ? name : otherwise);

const toTopic = ({ topicHash }: EventFragment) => `unhex('${topicHash.slice(2)}')`;

/** Returns a condition for rows of an event. The number of topics distinguishes events with equal signatures. */
function isEvent(event: EventFragment): string {
  const indexed = event.inputs.filter((input) => input.indexed).length;
  return `${own('topic0')} = ${toTopic(event)} AND ${own('topic_count')} = ${indexed + 1}`;
}

/** Columns of all events. Events with the same name have the same signature, and so the same columns. */
function listColumns(named: readonly NamedEvent[]): string[] {
  const taken = new Set(baseColumns);
  const columns = new Map<string, { readonly column: string; readonly cases: string[] }>();
  for (const { name, event } of named)
    for (const [at, input] of event.inputs.entries()) {
      const value = decodeInput(event, input);
      if (value === undefined) continue;
      const wanted = `${name}_${safeName(input.name, `arg${at}`)}`;
      const found = columns.get(`${wanted} ${at}`) ?? { column: unique(wanted, taken), cases: [] };
      found.cases.push(`${isEvent(event)}, ${value}`);
      columns.set(`${wanted} ${at}`, found);
    }
  return [...columns.values()].map(({ column, cases }) => `multiIf(${cases.join(', ')}, NULL) AS \`${column}\``);
}

/** Returns undefined for types that are not decoded. */
function decodeInput({ inputs }: EventFragment, input: ParamType): string | undefined {
  const plain = inputs.filter(({ indexed }) => !indexed);
  if (!input.indexed) return decodeData(plain, plain.indexOf(input), own('data'));
  const topic = inputs.slice(0, inputs.indexOf(input)).filter(({ indexed }) => indexed).length + 1;
  return decodeTopic(input, own(`topic${topic}`));
}
