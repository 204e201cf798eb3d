/** Writes the generated parts of README.md and the schemas under docs/, or with --check fails when they are stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../api/routes/index.ts';
import { directoryJsonSchema } from '../registry/directory.ts';
import { manifestJsonSchema } from '../registry/manifest.ts';
import { configTable } from '../runtime/config.ts';

const root = join(import.meta.dirname, '..');
const path = join(root, 'README.md');
/** Files that are generated whole. */
const files: Record<string, string> = {
  'docs/registry-manifest.schema.json': `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`,
  'docs/ecosystem-directory.schema.json': `${JSON.stringify(directoryJsonSchema(), null, 2)}\n`,
};

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
const stale = Object.entries(files).filter(([name, text]) => {
  const file = join(root, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`${stale.map(([name]) => name).join(', ')} stale: run npm run docs`);
    process.exit(1);
  }
  if (after !== before) {
    console.error('README.md is stale: run npm run docs');
    process.exit(1);
  }
} else {
  writeFileSync(path, after);
  for (const [name, text] of stale) writeFileSync(join(root, name), text);
}
