import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf } from '#sql/statement-types.ts';
import type { LogReadDeps } from '../../tail/log-reads.ts';
import type { Position } from '../../terms/cursor.ts';
import { maxBlock, maxIndex } from '../chain/paging.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { decodeRegistration, eventTopics } from './testimony-contract.ts';

export interface Agent {
  readonly address: string;
  readonly entity: string;
  readonly name: string | null;
  readonly uri: string | null;
  readonly firstBlock: number;
  readonly firstIndex: number;
  readonly registeredAt: number;
  readonly isRetired: boolean;
  readonly retiredBlock: number | null;
  readonly testimonies: number;
  readonly lastTestimonyBlock: number | null;
}

export interface AgentDeps extends StoreDeps, LogReadDeps {
  readonly settings: { readonly testimonyContract: string | undefined };
}

export interface AgentQuery {
  readonly status?: 'active' | 'retired' | undefined;
  /** Only agents whose first registration is before this position. */
  readonly before?: Position | undefined;
  readonly limit: number;
}

/** Returns registered AI agents, newest first. */
export function readAgents(
  deps: AgentDeps,
  state: ChainState,
  { status, before, limit }: AgentQuery,
): Promise<readonly Agent[]> {
  const place = before ?? { block: maxBlock, index: maxIndex };
  return ofContract(deps, state, `agents ${[status, place.block, place.index, limit]}`, [], (needed, conditions) =>
    compute(deps, needed, { ...conditions, ...withStatus(status), ...positionBefore(place), limit }),
  );
}

/** Counts all AI agents that ever registered, or those with a status. */
export function countAgents(deps: AgentDeps, state: ChainState, status: AgentQuery['status']): Promise<number> {
  return ofContract(deps, state, `agent count ${status}`, 0, async (needed, conditions) => {
    const parameters = { ...snapshotParameters(needed), ...conditions, ...withStatus(status) };
    return Number((await deps.database.readOne('agent_count', parameters, asked(parameters, ['with_status']))).agents);
  });
}

/** Returns AI agents by address. */
export async function readAgentsAmong(
  deps: AgentDeps,
  state: ChainState,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Agent>> {
  if (addresses.size === 0) return new Map();
  const agents = [...addresses].sort().map(hexDigits);
  const place = { block: maxBlock, index: maxIndex };
  const rows = await ofContract(deps, state, `agents ${agents}`, [], (needed, conditions) =>
    compute(deps, needed, { ...conditions, agents, ...positionBefore(place), limit: agents.length }),
  );
  return new Map(rows.map((agent) => [agent.address, agent]));
}

interface ContractConditions {
  readonly contract: string;
  readonly registered: string;
  readonly retired: string;
  readonly testified: string;
}

/** Reads a value that depends only on the registry's logs. @param none value if no registry is configured */
async function ofContract<T>(
  { settings, logReads }: AgentDeps,
  state: ChainState,
  name: string,
  none: T,
  read: (state: ChainState, conditions: ContractConditions) => Promise<T>,
): Promise<T> {
  const { testimonyContract: contract } = settings;
  if (contract === undefined) return none;
  const conditions = {
    contract: hexDigits(contract),
    registered: hexDigits(eventTopics.registered),
    retired: hexDigits(eventTopics.retired),
    testified: hexDigits(eventTopics.testified),
  };
  return logReads.of(name, [contract], state, (needed) => read(needed, conditions));
}

const withStatus = (status: AgentQuery['status']) =>
  status === undefined ? {} : { with_status: status === 'retired' ? 1 : 0 };

const positionBefore = ({ block, index }: Position) => ({ at_block: block, at_index: index });

const asked = <Name extends 'with_status' | 'agents'>(conditions: object, names: readonly Name[]) =>
  names.filter((name) => name in conditions);

async function compute(
  deps: AgentDeps,
  state: ChainState,
  conditions: Omit<ParametersOf<'agents_of_contract'>, keyof ReturnType<typeof snapshotParameters>>,
): Promise<Agent[]> {
  const parameters = { ...snapshotParameters(state), ...conditions };
  const rows = await deps.database.read('agents_of_contract', parameters, asked(conditions, ['with_status', 'agents']));
  if (rows.length === 0) return [];
  const positions = rows.flatMap((row): [string, number][] => [
    [row.first_block, row.first_index],
    [row.profile_block, row.profile_index],
  ]);
  const logs = await deps.database.readBinary('logs_at_places', {
    ...snapshotParameters(state),
    blocks: positions.map(([block]) => Number(block)),
    indexes: positions.map(([, index]) => index),
  });
  const byPosition = new Map(logs.map((log) => [`${log.block_number}:${log.log_index}`, log]));
  const logAt = (block: string, index: number) => known(byPosition.get(`${block}:${index}`), 'a log of an agent');
  return rows.map((row) => ({
    address: row.agent_hex,
    ...decodeRegistration(logAt(row.profile_block, row.profile_index)),
    firstBlock: Number(row.first_block),
    firstIndex: row.first_index,
    registeredAt: logAt(row.first_block, row.first_index).timestamp,
    isRetired: row.is_retired === 1,
    retiredBlock: row.is_retired === 1 ? Number(row.retired_block) : null,
    testimonies: Number(row.testimonies),
    lastTestimonyBlock: row.testimonies === '0' ? null : Number(row.last_testimony),
  }));
}
