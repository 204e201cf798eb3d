/**
 * A checkpoint is a signed document with the row count and digest of each table up to a block, and the digest of the
 * previous checkpoint.
 * @source docs/identity.md#checkpoints
 */
import { hashMessage, keccak256, recoverAddress, toUtf8Bytes, Wallet } from 'ethers';
import { z } from 'zod';
import type { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ExportKind, exportKinds } from '../export/kinds.ts';

/** @source docs of GET /export/{kind}/certificate */
const TableSum = z.strictObject({ rows: z.number().int(), digest: z.string().regex(/^[0-9a-f]{16}$/) });
export type TableSum = z.output<typeof TableSum>;

export const CheckpointDocument = z.strictObject({
  version: z.literal(1),
  chainId: z.number().int(),
  number: z.number().int(),
  from: z.number().int().optional().meta({
    description: 'First indexed block (START_BLOCK), if it is not 0: the tables have no rows of earlier blocks',
  }),
  block: z.number().int(),
  blockHash: z.string(),
  tables: z.strictObject(
    Object.fromEntries(exportKinds.map((kind) => [kind, TableSum])) as Record<ExportKind, typeof TableSum>,
  ),
  previous: z.string().nullable(),
  createdAt: z.string(),
});
export type CheckpointDocument = z.output<typeof CheckpointDocument>;

export interface Checkpoint {
  readonly document: CheckpointDocument;
  readonly text: string;
  readonly digest: string;
  readonly signature: string;
  readonly signer: string;
}

export const checkpointSigner = (serviceKey: ServiceKey): Wallet =>
  new Wallet(`0x${serviceKey.derive('checkpoints').toString('hex')}`);

export async function signCheckpoint(document: CheckpointDocument, signer: Wallet): Promise<Checkpoint> {
  const text = JSON.stringify(document);
  const signature = await signer.signMessage(text);
  return { document, text, digest: computeDigest(text), signature, signer: signer.address.toLowerCase() };
}

/** Checks digest and signature. @returns error text */
export function findError({ text, digest, signature, signer }: Checkpoint): string | undefined {
  if (computeDigest(text) !== digest) return 'the digest does not match the document';
  try {
    if (recoverAddress(hashMessage(text), signature).toLowerCase() === signer) return undefined;
  } catch {
    // the return below reports an invalid signature
  }
  return 'the signature does not match the signer and the document';
}

const computeDigest = (text: string) => keccak256(toUtf8Bytes(text));

interface CheckpointWindow {
  readonly limit: number;
  readonly fromNumber?: number | undefined;
  readonly beforeNumber?: number | undefined;
}

/** Returns the newest first. @param window `fromNumber` is inclusive, `beforeNumber` exclusive */
export async function readCheckpoints(
  database: Database,
  { limit, fromNumber = 0, beforeNumber = Number.MAX_SAFE_INTEGER }: CheckpointWindow,
): Promise<Checkpoint[]> {
  const rows = await database.read('checkpoints', { from_number: fromNumber, before_number: beforeNumber, limit });
  return rows.map(({ document, number: _, ...rest }) => ({
    ...rest,
    text: document,
    document: CheckpointDocument.parse(JSON.parse(document)),
  }));
}

export async function storeCheckpoint(database: Database, checkpoint: Checkpoint): Promise<void> {
  const { document, text, digest, signature, signer } = checkpoint;
  const w = new RowWriter(4_096);
  w.uint64(document.number);
  w.fixed(digest, 32);
  w.text(text);
  w.text(signature);
  w.fixed(signer, 20);
  w.uint64(document.block);
  w.uint64(Date.now());
  await database.insertRowBinary('checkpoints', w.view());
}
