/** The entity of a 32-byte id: as the manifest lists it, else as the index knows it. */
import { hexDigits } from '#chain/codec/hex.ts';
import { parseCanonicalId } from '#registry/entity-id.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../deps.ts';
import { derivedEntity, type EntityRecord, entityOf } from './entity.ts';

/** @returns undefined where neither knows it */
export async function findEntity(deps: ApiDeps, state: ChainState, manifest: string, id: string) {
  const { database, statements, settings } = deps;
  const find = async (key: { id: string; kind: string; address: string }) => {
    const [row] = await database.read<EntityRecord>(getStatement(statements, 'registry_entity'), { manifest, ...key });
    return row && entityOf(row);
  };
  const listed = await find({ id: hexDigits(id), kind: '', address: '' });
  const canonical = parseCanonicalId(id);
  if (listed || canonical?.chainId !== settings.chainId) return listed;
  const { kind, address } = canonical;
  const [named, [derived]] = await Promise.all([
    find({ id: '', kind, address: hexDigits(address) }),
    database.read<{ found: string }>(getStatement(statements, 'registry_derived'), {
      ...snapshotParameters(state),
      ...{ kind, address: hexDigits(address) },
    }),
  ]);
  return named ?? (Number(derived!.found) > 0 ? derivedEntity(id, kind, address) : undefined);
}
