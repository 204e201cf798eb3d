/** The entity of a 32-byte id: as the manifest lists it, else as the index knows it. */

import { hexDigits } from '#chain/codec/hex.ts';
import { parseCanonicalId } from '#registry/entity-id.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { ChainDeps, StoreDeps } from '../reader-deps.ts';
import { derivedEntity, type EntityRecord, entityOf } from './entity.ts';

export interface EntityDeps extends StoreDeps, ChainDeps {}

/** @returns undefined where neither knows it */
export async function findEntity(deps: EntityDeps, state: ChainState, manifest: string, id: string) {
  const { database, statements, settings } = deps;
  const find = async (statement: StatementName, key: Parameters) => {
    const [row] = await database.read<EntityRecord>(getStatement(statements, statement), { manifest, ...key });
    return row && entityOf(row);
  };
  const listed = await find('registry_entity', { id: hexDigits(id) });
  const canonical = parseCanonicalId(id);
  if (listed || canonical?.chainId !== settings.chainId) return listed;
  const { kind, address } = canonical;
  const [named, derived] = await Promise.all([
    find('registry_entity_of_address', { kind, address: hexDigits(address) }),
    database.readOne<{ found: string }>(getStatement(statements, 'registry_derived'), {
      ...snapshotParameters(state),
      kind,
      address: hexDigits(address),
    }),
  ]);
  return named ?? (Number(derived.found) > 0 ? derivedEntity(id, kind, address) : undefined);
}
