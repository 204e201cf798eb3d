/**
 * Sends correct and failing queries to the embedded engine in parallel, and compares each reply with the expected one.
 * `npm run bench -- engine [--queries 100000]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { pool } from '#test/helpers/pool.ts';
import { startEngine } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { peakMegabytes } from '../measure/statistics.ts';

const { values } = parseArgs({ options: { queries: { type: 'string', default: '100000' } } });
const queries = Number(values.queries);
const dir = scratch();
const engine = await startEngine(dir);
const post = async (sql: string, parameters = '') => {
  const reply = await request(`${engine.origin}/?${parameters}`, {
    method: 'POST',
    body: sql,
    headers: engine.headers,
  });
  return { status: reply.statusCode, text: await reply.body.text() };
};
await post('CREATE TABLE noise (n UInt64, s String) ENGINE = MergeTree ORDER BY n');
await post("INSERT INTO noise SELECT number, repeat('foreign', 10) FROM numbers(20000)");
let foreign = 0;
const times: number[] = [];
const startedAt = performance.now();
await pool(queries, 24, async (i) => {
  const began = performance.now();
  if (i % 20 === 0) {
    const { text } = await post(
      'SELECT n, s, throwIf(n = 15000) FROM noise SETTINGS max_block_size = 1000, max_threads = 1',
      i % 40 ? 'max_threads=1' : '',
    );
    if (!text.startsWith('Code: 395.')) foreign++;
  } else if (i % 20 === 1) {
    const { text } = await post(`SELEC ${i}`);
    if (!text.startsWith('Code: 62.') && !text.startsWith('Code: 47.')) foreign++;
  } else {
    const { text, status } = await post(
      'SELECT {i:UInt64} AS answer',
      `param_i=${i}${i % 3 ? '' : '&max_threads=1&max_result_rows=5'}`,
    );
    if (text !== `${i}\n` || status !== 200) foreign++;
    times.push(performance.now() - began);
  }
});
const seconds = (performance.now() - startedAt) / 1000;
report('wrong answers', 'count', foreign);
report(`${queries} queries, 24 at once, one in ten failing`, 'queries/s', queries / seconds);
report('peak memory of the engine', 'MB', peakMegabytes(engine.pid()));
report('good queries', 'ms', times);
await engine.stop();
process.exit(foreign > 0 ? 1 : 0);
