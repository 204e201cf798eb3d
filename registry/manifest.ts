/** The entity manifest: its schema, and what it must say beyond it. @source specification 4.7, canon 1.2; docs/registry.md */
import { z } from 'zod';
import { isCanonical, parseCanonicalId } from './entity-id.ts';
import { canonVersion, derivedKinds, registryKinds } from './kinds.ts';

const maxEntities = 1_000_000;
/** Faults that are named; the rest are counted. */
const maxFaults = 20;

/** Unicode of at least one character: half a surrogate pair could not be stored as it is. */
const text = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most, `must not be longer than ${most} characters`)
    .refine((value) => !/\p{Surrogate}/u.test(value), 'has half of a surrogate pair');
const EntityId = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits, lower case')
  .meta({ description: 'Synthetic id, 32 bytes; wallets and contracts have canonical ones' });
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_000);

const ManifestEntity = z
  .strictObject({
    id: EntityId,
    kind: z.enum(registryKinds, `must be one of ${registryKinds.join(', ')}`),
    label: text(200).meta({ description: 'Name, as it is shown' }),
    address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/, 'must be 0x and 40 hex digits, lower case')
      .optional()
      .meta({ description: 'Address on the chain; wallets and contracts have one' }),
    category: text(64).optional().meta({ description: 'Free word: exchange, dex, bridge, …' }),
    description: text(2_000).optional(),
    url: webUrl.optional(),
    parent: EntityId.optional().meta({ description: 'Entity that this one belongs to' }),
    attributes: z
      .record(text(64), z.string().max(1_000))
      .optional()
      .meta({ description: 'What else is known, by name' }),
  })
  .meta({ id: 'ManifestEntity' });

const Manifest = z
  .strictObject({
    canon: z.literal(canonVersion, `must be "${canonVersion}"`),
    chainId: z.int().positive(),
    version: text(64).meta({ description: 'Of this manifest, as its publisher counts' }),
    generatedAt: z.iso.datetime({ error: 'must be a time like 2026-01-31T12:00:00Z' }),
    counts: z
      .strictObject(Object.fromEntries(registryKinds.map((kind) => [kind, z.int().nonnegative()])))
      .meta({ description: 'Entities by kind: must agree with what is listed' }),
    entities: z.array(ManifestEntity).max(maxEntities, `must not be more than ${maxEntities}`),
  })
  .meta({ title: 'Registry manifest', description: 'Entities of the registry, canon 1.2' });

export type ManifestEntity = z.infer<typeof ManifestEntity>;
export type Manifest = z.infer<typeof Manifest>;

/** What is wrong with a manifest, one line each. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the manifest is refused:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** JSON Schema of a manifest, draft 2020-12. */
export const manifestJsonSchema = () => z.toJSONSchema(Manifest, { io: 'input' });

/** @throws ManifestError naming what is wrong, the first faults in full */
export function parseManifest(json: string, chainId: number): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ManifestError([`it is no JSON: ${(error as Error).message.slice(0, 200)}`]);
  }
  const parsed = Manifest.safeParse(value);
  const faults = parsed.success
    ? contradictions(parsed.data, chainId)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
  if (parsed.success && faults.length === 0) return parsed.data;
  const more = faults.length - maxFaults;
  throw new ManifestError([...faults.slice(0, maxFaults), ...(more > 0 ? [`and ${more} more`] : [])]);
}

/** What a schema can't say. */
function contradictions(manifest: Manifest, chainId: number): string[] {
  const { entities, counts } = manifest;
  const faults = manifest.chainId === chainId ? [] : [`chainId: is ${manifest.chainId}, this chain is ${chainId}`];
  const ids = new Set<string>();
  const owned = new Set<string>();
  for (const [at, entity] of entities.entries()) {
    const fault = (what: string) => faults.push(`entities.${at}.${what}`);
    if (ids.has(entity.id)) fault(`id: ${entity.id} is there twice`);
    ids.add(entity.id);
    if (entity.kind in derivedKinds) checkDerived(entity, chainId, owned, fault);
    else if (isCanonical(entity.id)) fault('id: is a canonical id, which only wallets and contracts have');
  }
  for (const [at, { parent }] of entities.entries())
    if (parent && !ids.has(parent)) faults.push(`entities.${at}.parent: ${parent} is not in the manifest`);
  for (const kind of registryKinds) {
    const found = entities.filter((entity) => entity.kind === kind).length;
    if (counts[kind] !== found) faults.push(`counts.${kind}: says ${counts[kind]}, ${found} are listed`);
  }
  return faults;
}

/** A wallet or contract has an address of its own, and if its id is canonical, the id of that address. */
function checkDerived(
  { id, kind, address }: ManifestEntity,
  chainId: number,
  owned: Set<string>,
  fault: (what: string) => void,
): void {
  if (!address) fault(`address: a ${kind} needs one`);
  const place = `${kind} ${address}`;
  if (owned.has(place)) fault(`address: there are two entities for ${place}`);
  owned.add(place);
  const own = parseCanonicalId(id);
  const agrees = own && own.kind === kind && own.chainId === chainId && own.address === address;
  if (isCanonical(id) && !agrees) fault('id: is the canonical id of something else');
}
