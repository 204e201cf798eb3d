/** Writes the generated parts of README.md, or with --check fails when they are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../api/routes/index.ts';
import { configTable } from '../runtime/config.ts';

const path = join(import.meta.dirname, '..', 'README.md');

const sections: Record<string, string> = {
  configuration: [
    '| variable | default | meaning |',
    '| --- | --- | --- |',
    ...configTable().map(
      ({ name, fallback, description }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
    ),
  ].join('\n'),
  endpoints: [
    '| method and path | what | specification |',
    '| --- | --- | --- |',
    ...routes.map(
      (route) =>
        `| \`${route.methods.join(', ').toUpperCase()} ${route.base}${route.path}\` | ${route.summary} | ${route.section} |`,
    ),
  ].join('\n'),
};

const before = readFileSync(path, 'utf8');
let after = before;
for (const [name, text] of Object.entries(sections)) {
  after = after.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`),
    `$1${text.replaceAll('$', '$$$$')}$2`,
  );
}
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('README.md is stale: run npm run docs');
    process.exit(1);
  }
} else writeFileSync(path, after);
