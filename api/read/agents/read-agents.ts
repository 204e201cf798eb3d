import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { LogReadDeps } from '../../tail/log-reads.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { decodeRegistration, eventTopics } from './testimony-contract.ts';

const maxAgents = 10_000;

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

/** Returns registered AI agents, the newest first. */
export function readAgents(deps: AgentDeps, state: ChainState): Promise<readonly Agent[]> {
  const { testimonyContract: contract } = deps.settings;
  if (contract === undefined) return Promise.resolve([]);
  return deps.logReads.of('agents', [contract], state, (needed) => compute(deps, needed, contract));
}

async function compute(deps: AgentDeps, state: ChainState, contract: string): Promise<Agent[]> {
  const rows = await deps.database.read('agents_of_contract', {
    ...snapshotParameters(state),
    registered: hexDigits(eventTopics.registered),
    retired: hexDigits(eventTopics.retired),
    testified: hexDigits(eventTopics.testified),
    contract: hexDigits(contract),
    limit: maxAgents,
  });
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
