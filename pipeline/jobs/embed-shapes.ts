import { type Embedder, EmbeddingError } from '#semantic/embed/embedder.ts';
import { renderVersion } from '#semantic/render-shape.ts';
import { describeShape, encodeShape, encodeShapeVector, type ShapeRecord, toShape } from '#semantic/shape-rows.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { JobDeps } from '../deps.ts';
import { embedTexts } from './embed-texts.ts';

const batch = 32;
/** Maximum embeddings per step: other jobs wait for it. */
const shapesPerStep = 96;
const textsPerStep = 5_000;

export interface EmbedDeps extends Pick<JobDeps, 'database' | 'signal' | 'log'> {
  readonly embedders?: readonly Embedder[];
}

/** Renders new shapes (wallet events without amount, date and id) as text, and computes missing embeddings. */
export async function embedShapes(deps: EmbedDeps): Promise<number> {
  let written = await renderShapes(deps);
  for (const embedder of deps.embedders ?? []) written += await embedMissing(deps, embedder);
  return written;
}

async function renderShapes({ database }: EmbedDeps): Promise<number> {
  const records = await database.read('shapes_to_render', {
    text_version: renderVersion,
    limit: textsPerStep,
  });
  if (records.length === 0) return 0;
  const rows = new RowWriter();
  for (const record of records) encodeShape(rows, toShape(record), record.shape_id);
  await database.insertRowBinary('shapes', rows.chunks);
  return records.length;
}

const refusedByEmbedder = new WeakMap<Embedder, Set<string>>();
/** Maximum rejected texts: above it, the model is the cause. */
const maxRefused = 10_000;

async function embedMissing(deps: EmbedDeps, embedder: Embedder): Promise<number> {
  const { database, signal } = deps;
  const refused = refusedByEmbedder.get(embedder) ?? new Set();
  refusedByEmbedder.set(embedder, refused);
  if (refused.size > maxRefused)
    throw new EmbeddingError(`the embedding model ${embedder.id} rejected too many texts`, false);
  const records = await database.read('shapes_to_embed', {
    embedder: embedder.id,
    text_version: renderVersion,
    limit: shapesPerStep,
    refused: [...refused].map(BigInt),
  });
  for (let i = 0; i < records.length && !signal.aborted; i += batch)
    await embedSome(deps, embedder, records.slice(i, i + batch), refused);
  return records.length;
}

async function embedSome(
  { database, signal, log }: EmbedDeps,
  embedder: Embedder,
  records: readonly ShapeRecord[],
  refused: Set<string>,
): Promise<void> {
  const texts = records.map((record) => describeShape(toShape(record)));
  const vectors = await embedTexts(embedder, texts, signal);
  const rows = new RowWriter();
  for (const [i, { shape_id }] of records.entries()) {
    const vector = vectors[i];
    if (vector) encodeShapeVector(rows, embedder.id, shape_id, vector);
    else refused.add(shape_id);
  }
  if (vectors.includes(undefined)) log.warn({ event: 'texts_refused', embedder: embedder.id, shapes: refused.size });
  if (rows.rows > 0) await database.insertRowBinary('shape_vectors', rows.chunks);
}
