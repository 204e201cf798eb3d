/** Updates the generated docs and types. With --check, fails if a generated file is outdated. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheSpec } from '../api/cache/cache-spec.ts';
import { caches } from '../api/cache/caches.ts';
import { catalogue } from '../api/compatible/actions.ts';
import { directoryJsonSchema } from '../registry/directory.ts';
import { manifestJsonSchema } from '../registry/manifest.ts';
import { clientTypes } from './client-types.ts';
import { figuresPage } from './figures-page.ts';
import { markdownTable } from './markdown-table.ts';
import { withMigratedSession } from './migrated-session.ts';
import { apiPage, configurationPage, metricsPage, schemaPage, viewsPage } from './reference-pages.ts';
import { schemaFile } from './schema-file.ts';
import { statementTypes } from './statement-types.ts';
import { valuesPage } from './values-page.ts';

const root = join(import.meta.dirname, '..');
const files: Record<string, string> = {
  'client/openapi.gen.ts': await clientTypes(),
  'docs/registry-manifest.schema.json': `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`,
  'docs/ecosystem-directory.schema.json': `${JSON.stringify(directoryJsonSchema(), null, 2)}\n`,
  'docs/compatible.md': compatiblePage(),
  'docs/architecture.md': withCacheTable(readFileSync(join(root, 'docs/architecture.md'), 'utf8')),
  'docs/reference/api.md': apiPage(),
  'docs/reference/configuration.md': configurationPage(),
  'docs/reference/figures.md': figuresPage(),
  'docs/reference/metrics.md': metricsPage(),
  'docs/reference/values.md': valuesPage(),
  ...withMigratedSession((session) => ({
    'docs/reference/schema.md': schemaPage(session),
    'docs/reference/views.md': viewsPage(session),
    'sql/schema.gen.sql': schemaFile(session),
    'sql/statements.gen.ts': statementTypes(session),
  })),
};

const stale = Object.entries(files).filter(([name, text]) => {
  const file = join(root, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (!process.argv.includes('--check')) for (const [name, text] of stale) writeFileSync(join(root, name), text);
else if (stale.length > 0) {
  console.error(`${stale.map(([name]) => name).join(', ')} outdated: run npm run docs`);
  process.exit(1);
}

function withCacheTable(text: string): string {
  const rows = Object.entries<CacheSpec>(caches).map(([name, { scope, mebibytes, ttlMs, keeps, saves }]) => [
    `\`${name}\``,
    ttlMs === undefined ? scope : `${scope}, ${ttlMs / 1_000} s`,
    String(mebibytes),
    keeps,
    saves,
  ]);
  const table = markdownTable(['cache', 'scope', 'MiB', 'keeps', 'saves'], rows);
  return text.replace(
    /(<!-- caches -->\n)[\s\S]*?(\n<!-- \/caches -->)/,
    (_, before: string, after: string) => before + table + after,
  );
}

function compatiblePage(): string {
  const rows = catalogue().map(({ module, action, state }) => [`\`${module}\``, `\`${action}\``, state]);
  return `# Actions of the Etherscan-compatible interface

Cordscan answers queries in the format of Etherscan and Blockscout at \`/api\`. This page lists every action that their docs describe,
and whether Cordscan supports it. Action names are case-insensitive. An error has \`status: "0"\`, \`message: "NOTOK"\` and the reason in \`result\`.

Every reply has four block numbers as headers:

- \`X-Index-From\`: first indexed block
- \`X-Index-Head\`: last indexed block
- \`X-Final-Head\`: last finalized block
- \`X-Chain-Head\`: newest block that a node has reported

A request for blocks that are not indexed yet waits up to 1.5 s. Then it fails, and the error lists these blocks. A list without
an end block ends at \`X-Index-Head\`.

${markdownTable(['module', 'action', 'support'], rows)}
`;
}
