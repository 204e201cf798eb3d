/**
 * Stores figures of a bench: one JSON line each on stdout, and after a run without errors the file
 * bench/results/<date>.json, from which scripts/docs.ts makes tables. Removes folders and processes of a bench when it
 * ends, also after an error.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type BenchResult, type Figure, readResults } from './results.ts';
import { commitNow, summary } from './statistics.ts';

const bench = basename(dirname(process.argv[1] ?? ''));
const results = join(import.meta.dirname, '../results');
const figures: Figure[] = [];
const folders: string[] = [];

/** Reports several values as p50, p99, minimum and maximum, or a single value. @param unit such as ms, rows/s, MB */
export function report(figure: string, unit: string, values: number | readonly number[]): void {
  const line: Figure = { figure, unit, ...(typeof values === 'number' ? { value: rounded(values) } : summary(values)) };
  figures.push(line);
  console.log(JSON.stringify({ bench, ...line }));
}

const rounded = (value: number) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** Makes a folder that is removed when the bench ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), `cordscan-${bench}-`));
  folders.push(folder);
  return folder;
}

process.once('exit', (code) => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  if (code === 0 && figures.length > 0 && process.env['BENCH_KEEPS_FIGURES'] !== 'no') store();
});

/** Replaces the result of the same bench and day. */
function store(): void {
  const file = join(results, `${new Date().toISOString().slice(0, 10)}.json`);
  const stored = readResults(file);
  const own: BenchResult = {
    commit: commitNow(),
    cores: cpus().length,
    node: process.versions.node,
    // results are published, so omit folders of this machine
    args: process.argv.slice(2).map((text) => (isAbsolute(text) ? '<folder>' : text)),
    figures,
  };
  writeFileSync(file, `${JSON.stringify({ ...stored, [bench]: own }, undefined, 2)}\n`);
}
