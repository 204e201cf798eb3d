/** Makes texts and vectors of shapes that have none, or have them of an older version. Repeating it changes nothing. */
import type { Embedder } from '#semantic/embed/embedder.ts';
import { renderVersion } from '#semantic/render-shape.ts';
import { encodeShape, encodeShapeVector, type ShapeRecord, shapeOf, textOf } from '#semantic/shape-rows.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';

/** Texts embedded at once. */
const batch = 32;
/** Shapes of one step, so that other jobs get their turn. */
const shapesPerStep = 96;
/** Texts made in one step; they cost next to nothing. */
const textsPerStep = 5_000;

export type EmbedDeps = Pick<PipelineDeps, 'database' | 'statements' | 'signal' | 'embedders'>;

/** One step: texts first, then vectors of each embedder. @returns how many rows were written */
export async function embedShapes(deps: EmbedDeps): Promise<number> {
  let written = await renderShapes(deps);
  for (const embedder of deps.embedders ?? []) written += await embedMissing(deps, embedder);
  return written;
}

async function renderShapes({ database, statements }: EmbedDeps): Promise<number> {
  const records = await database.read<ShapeRecord>(getStatement(statements, 'shapes_to_render'), {
    ...{ text_version: renderVersion, limit: textsPerStep },
  });
  if (records.length === 0) return 0;
  const rows = new RowWriter();
  for (const record of records) encodeShape(rows, shapeOf(record), record.shape_id);
  await database.insertRowBinary('shapes', rows.chunks);
  return records.length;
}

async function embedMissing({ database, statements, signal }: EmbedDeps, embedder: Embedder): Promise<number> {
  const records = await database.read<ShapeRecord>(getStatement(statements, 'shapes_to_embed'), {
    ...{ embedder: embedder.id, text_version: renderVersion, limit: shapesPerStep },
  });
  for (let i = 0; i < records.length && !signal.aborted; i += batch) {
    const some = records.slice(i, i + batch);
    const texts = some.map((record) => textOf(shapeOf(record)));
    const vectors = await embedder.embed(texts, 'document', signal);
    const rows = new RowWriter();
    some.forEach((record, j) => {
      encodeShapeVector(rows, embedder.id, record.shape_id, vectors[j]!);
    });
    await database.insertRowBinary('shape_vectors', rows.chunks);
  }
  return records.length;
}
