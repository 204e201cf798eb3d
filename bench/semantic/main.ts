/**
 * Measures quality and speed of the search for events:
 *
 *   npm run bench -- semantic --eval FILE [--out run.json] [--local]
 *   npm run bench -- semantic --scale [--knots 1000000] [--searches 100]
 *
 * evaluation.ts describes FILE. With --local, the search uses word vectors, but no embedding model.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { embedShapes } from '#pipeline/jobs/embed-shapes.ts';
import { silentLog } from '#runtime/log.ts';
import { createSearch } from '#semantic/create-search.ts';
import { createUseLite } from '#semantic/embed/use-lite.ts';
import { startTestEngine } from '#test/helpers/service.ts';
import { loadEvaluation, readEvaluation, runEvaluation } from './evaluation.ts';
import { mean, ndcg } from './ndcg.ts';
import { measureScale } from './scale.ts';

const { values } = parseArgs({
  options: {
    eval: { type: 'string' },
    out: { type: 'string' },
    local: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    knots: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '100' },
  },
});
if (!values.eval && !values.scale) {
  console.error(
    'usage: npm run bench -- semantic --eval FILE [--out run.json] [--local] | --scale [--knots N] [--searches N]',
  );
  process.exit(2);
}
const engine = await startTestEngine();
const database = await engine.open('semantic');
const dense = values.local ? undefined : createUseLite();
const deps = createSearch({ database, log: silentLog, dense, nativeSymbol: 'FAT' });
try {
  if (values.eval) await evaluate(values.eval, values.out);
  if (values.scale) await measureScale(deps, { knots: Number(values.knots), searches: Number(values.searches) });
} finally {
  await dense?.close();
  await engine.stop();
}

async function evaluate(path: string, out: string | undefined): Promise<void> {
  const set = readEvaluation(path);
  const ids = await loadEvaluation(database, set);
  const embedders = [deps.embedders.local, ...(dense ? [dense] : [])];
  while ((await embedShapes({ database, log: silentLog, signal: new AbortController().signal, embedders })) > 0);
  const run = await runEvaluation(deps, set, ids);
  if (out) writeFileSync(out, `${JSON.stringify(run)}\n`);
  const judged = set.queries.filter(({ rel }) => rel && Object.keys(rel).length > 0);
  for (const tag of ['all', ...new Set(judged.map((query) => query.tag))]) {
    const some = judged.filter((query) => tag === 'all' || query.tag === tag);
    if (some.length > 0)
      console.log(
        `${tag.padEnd(8)} n=${some.length} nDCG@10 ${mean(some.map(({ id, rel }) => ndcg(run[id] ?? [], rel))).toFixed(4)}`,
      );
  }
}
