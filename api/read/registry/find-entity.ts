import { hexDigits } from '#chain/codec/hex.ts';
import { parseCanonicalId } from '#registry/entity-id.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ChainDeps, StoreDeps } from '../reader-deps.ts';
import { derivedEntity, serializeEntity } from './entity.ts';

export interface EntityDeps extends StoreDeps, ChainDeps {}

/** Finds an entity in the registry manifest, else in the index. @param manifest 64 hex digits @param id 32 bytes */
export async function findEntity(deps: EntityDeps, state: ChainState, manifest: string, id: string) {
  const { database, settings } = deps;
  const [listed] = await database.read('registry_entity', { manifest, id: hexDigits(id) });
  const canonical = parseCanonicalId(id);
  if (listed || canonical?.chainId !== settings.chainId) return listed && serializeEntity(listed);
  const { kind, address } = canonical;
  const key = { kind, address: hexDigits(address) };
  const [[named], derived] = await Promise.all([
    database.read('registry_entity_of_address', { manifest, ...key }),
    database.readOne('registry_derived', { ...snapshotParameters(state), ...key }),
  ]);
  if (named) return serializeEntity(named);
  return Number(derived.found) > 0 ? derivedEntity(id, kind, address) : undefined;
}
