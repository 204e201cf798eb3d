import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchResult, type Figure, readResults } from '../bench/measure/results.ts';
import { markdownTable } from './markdown-table.ts';

const folder = join(import.meta.dirname, '../bench/results');

/** Renders the newest stored result of each benchmark. */
export function figuresPage(): string {
  const newest = new Map<string, { readonly day: string; readonly result: BenchResult }>();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  for (const file of files.sort())
    for (const [bench, result] of Object.entries(readResults(join(folder, file))))
      newest.set(bench, { day: file.slice(0, -5), result });
  const sections = [...newest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([bench, { day, result }]) => {
      const rows = result.figures.map((figure) => [
        figure.figure.replaceAll('|', '\\|'),
        figure.unit,
        ...listColumns(figure),
      ]);
      const command = ['npm run bench --', bench, ...result.args].join(' ');
      return `## ${bench}

\`${command}\`, ${day}, commit ${result.commit}, ${result.cores} cores, Node ${result.node}

${markdownTable(['figure', 'unit', 'value or p50', 'p99', 'min to max', 'n'], rows)}
`;
    });
  return `# Measured figures

The newest figures of each benchmark, as the benchmark stored them in \`bench/results\`. [Measurements](../measurements.md) explains them and names the targets.

${sections.join('\n')}`;
}

function listColumns({ value, p50, p99, min, max, n }: Figure): string[] {
  if (value !== undefined) return [String(value), '', '', ''];
  return [String(p50), String(p99), `${min} to ${max}`, String(n)];
}
