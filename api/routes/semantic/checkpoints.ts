/** @source docs/identity.md#checkpoints */
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { type Checkpoint, CheckpointDocument, readCheckpoints } from '../../read/checkpoints/checkpoint.ts';
import type { CheckpointDeps, Checkpoints } from '../../read/checkpoints/make-checkpoint.ts';
import type { DocumentSigner } from '../../read/export/document-signer.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexAddress, HexData, HexHash, integerFrom, Limit } from '../../terms/primitives.ts';

const CheckpointReply = z
  .strictObject({
    checkpointId: HexHash.meta({ description: 'Digest of the checkpoint document; the same value as the field root' }),
    head: Count.meta({ description: 'Last block that the checkpoint covers' }),
    headHash: HexHash,
    root: HexHash.meta({
      description: 'Keccak-256 of the value of `text`; the next checkpoint contains this hash as `previous`',
    }),
    document: CheckpointDocument,
    text: z.string().meta({ description: 'The exact bytes of the checkpoint document that were signed' }),
    signature: HexData.meta({ description: 'EIP-191 signature of the value of `text`' }),
    signer: HexAddress,
    jws: z.string().meta({
      description: 'Compact JWS (EdDSA) whose payload is the document; /.well-known/jwks.json has the key',
    }),
  })
  .meta({ id: 'Checkpoint' });

interface SignerDeps {
  readonly documentSigner: DocumentSigner;
}

async function toReply(
  { documentSigner }: SignerDeps,
  { document, text, digest, signature, signer }: Checkpoint,
): Promise<z.input<typeof CheckpointReply>> {
  const jws = await documentSigner.sign(document);
  const { block: head, blockHash: headHash } = document;
  return { checkpointId: digest, head, headHash, root: digest, document, text, signature, signer, jws };
}

export const postCheckpoint = defineRoute({
  id: 'postCheckpoint',
  base: '/v1',
  path: '/checkpoint',
  methods: ['post'],
  tag: 'semantic',
  summary: 'Creates a signed checkpoint of the index',
  description:
    'The checkpoint contains row count and digest of each table up to the finalized block, and the hash of the previous checkpoint. A repeated request for the same block returns the same checkpoint.',
  params: z.object({}),
  query: z.object({}),
  response: CheckpointReply,
  errors: ['unauthorized', 'invalid_api_key', 'key_revoked', 'operator_required', 'indexing', 'store_unavailable'],
  access: 'operator',
  cost: 20,
  successStatus: 202,
  maxAgeSeconds: 0,
  example: '/checkpoint',
  handle: async (deps: CheckpointDeps & SignerDeps & { readonly checkpoints: Checkpoints }) =>
    toReply(deps, await deps.checkpoints.make(deps)),
});

export const listCheckpoints = defineRoute({
  id: 'listCheckpoints',
  base: '/v1',
  path: '/checkpoints',
  methods: ['get'],
  tag: 'semantic',
  summary: 'Signed checkpoints of the index',
  description: 'Each checkpoint is a signed statement of what the index contained. The newest come first.',
  params: z.object({}),
  query: z.object({
    limit: Limit,
    before: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a checkpoint number')
      .transform(Number)
      .optional()
      .meta({ ...integerFrom(0), description: 'Return only checkpoints with a number lower than this' }),
  }),
  response: z.strictObject({ items: z.array(CheckpointReply), hasMore: z.boolean(), limit: Count }),
  errors: ['bad_query', 'unauthorized', 'invalid_api_key', 'key_revoked', 'store_unavailable'],
  access: 'credential',
  maxAgeSeconds: 0,
  example: '/checkpoints?limit=2',
  handle: async (deps: StoreDeps & SignerDeps, { query: { limit, before } }) => {
    const found = await readCheckpoints(deps.database, { limit: limit + 1, beforeNumber: before });
    const items = await Promise.all(found.slice(0, limit).map((checkpoint) => toReply(deps, checkpoint)));
    return { items, hasMore: found.length > limit, limit };
  },
});
