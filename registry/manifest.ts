/**
 * Schema and checks of the manifest, a list of named registry entities.
 * @source docs/registry.md#manifest
 */
import { z } from 'zod';
import { isCanonical, parseCanonicalId } from './entity-id.ts';
import { canonVersion, derivedKinds, registryKinds } from './kinds.ts';

const maxEntities = 1_000_000;
/** Maximum listed errors. Further errors are only counted. */
const maxErrors = 20;

/** The database can't store lone surrogates (halves of a Unicode pair) unchanged. */
const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must not be longer than ${max} characters`)
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must not contain a lone surrogate');
const EntityId = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits, lower case')
  .meta({ description: 'Id of the entity, 32 bytes. Canonical ids of wallets and contracts contain the address.' });
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_000);

const ManifestEntity = z
  .strictObject({
    id: EntityId,
    kind: z.enum(registryKinds, `must be one of ${registryKinds.join(', ')}`),
    label: text(200).meta({ description: 'Display name of the entity' }),
    address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/, 'must be 0x and 40 hex digits, lower case')
      .optional()
      .meta({ description: 'Address on this chain; required for wallets and contracts' }),
    category: text(64)
      .optional()
      .meta({ description: 'Category of the entity, free text, for example exchange, dex, bridge' }),
    description: text(2_000).optional(),
    url: webUrl.optional(),
    parent: EntityId.optional().meta({ description: 'Id of the parent entity' }),
    attributes: z
      .record(text(64), z.string().max(1_000))
      .optional()
      .meta({ description: 'Additional attributes of the entity, by name' }),
  })
  .meta({ id: 'ManifestEntity' });

const Manifest = z
  .strictObject({
    canon: z.literal(canonVersion, `must be "${canonVersion}"`),
    chainId: z.int().positive(),
    version: text(64).meta({ description: 'Version of this manifest, set by its publisher' }),
    generatedAt: z.iso.datetime({ error: 'must be a time like 2026-01-31T12:00:00Z' }),
    counts: z
      .strictObject(Object.fromEntries(registryKinds.map((kind) => [kind, z.int().nonnegative()])))
      .meta({ description: 'Number of entities of each kind; must match `entities`' }),
    entities: z.array(ManifestEntity).max(maxEntities, `must not have more than ${maxEntities}`),
  })
  .meta({
    title: 'Registry manifest',
    description: 'All entities of the registry, in format version 1.2, which is the value of the field canon',
  });

export type ManifestEntity = z.infer<typeof ManifestEntity>;
export type Manifest = z.infer<typeof Manifest>;

export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    super(`invalid manifest:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.errors = errors;
  }
}

export const manifestJsonSchema = () => z.toJSONSchema(Manifest, { io: 'input' });

/** @throws ManifestError with the first problems and the number of the rest */
export function parseManifest(json: string, chainId: number): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ManifestError([`not valid JSON: ${(error as Error).message.slice(0, 200)}`]);
  }
  const parsed = Manifest.safeParse(value);
  const errors = parsed.success
    ? findContradictions(parsed.data, chainId)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
  if (parsed.success && errors.length === 0) return parsed.data;
  const more = errors.length - maxErrors;
  throw new ManifestError([...errors.slice(0, maxErrors), ...(more > 0 ? [`and ${more} more`] : [])]);
}

function findContradictions(manifest: Manifest, chainId: number): string[] {
  const { entities, counts } = manifest;
  const errors = manifest.chainId === chainId ? [] : [`chainId: is ${manifest.chainId}, but this chain is ${chainId}`];
  const ids = new Set<string>();
  const owned = new Set<string>();
  for (const [index, entity] of entities.entries()) {
    const report = (what: string) => errors.push(`entities.${index}.${what}`);
    if (ids.has(entity.id)) report(`id: ${entity.id} occurs twice`);
    ids.add(entity.id);
    if (entity.kind in derivedKinds) checkDerived(entity, chainId, owned, report);
    else if (isCanonical(entity.id)) report('id: only wallets and contracts have canonical ids');
  }
  for (const [index, { parent }] of entities.entries())
    if (parent && !ids.has(parent)) errors.push(`entities.${index}.parent: ${parent} is not in the manifest`);
  for (const kind of registryKinds) {
    const found = entities.filter((entity) => entity.kind === kind).length;
    if (counts[kind] !== found) errors.push(`counts.${kind}: is ${counts[kind]}, but ${found} are listed`);
  }
  return errors;
}

/** Checks that each address occurs once per kind, and that a canonical id contains its entity's address. */
function checkDerived(
  { id, kind, address }: ManifestEntity,
  chainId: number,
  owned: Set<string>,
  report: (what: string) => void,
): void {
  if (!address) report(`address: required for a ${kind}`);
  const place = `${kind} ${address}`;
  if (owned.has(place)) report(`address: two entities for ${place}`);
  owned.add(place);
  const own = parseCanonicalId(id);
  const agrees = own && own.kind === kind && own.chainId === chainId && own.address === address;
  if (isCanonical(id) && !agrees) report('id: is the canonical id of another address or kind');
}
