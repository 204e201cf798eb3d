/** Fails if a docs page links to a missing file or heading, or if `@source` in a comment refers to a missing page. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parsePage } from './markdown.ts';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const folders = new Set(files.map((file) => file.split('/')[0]));
const pages = new Map(
  files.filter((file) => file.endsWith('.md')).map((file) => [file, parsePage(readFileSync(file, 'utf8'))]),
);

function checkLink(page: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return `${page}: the link ${target} leads to no file`;
  const isMissing = anchor !== undefined && pages.get(file)?.anchors.has(anchor) === false;
  return isMissing ? `${page}: ${file} has no heading #${anchor}` : undefined;
}

/** Paths of test files may omit their file extension. */
function checkPath(page: string, path: string): string | undefined {
  if (!/^[\w.-]+\/[\w./-]+$/.test(path) || !folders.has(path.split('/')[0])) return undefined;
  const isThere = [path, `${path}.ts`, `${path}.test.ts`, `${path}.sql`].some((candidate) => existsSync(candidate));
  return isThere ? undefined : `${page}: there is no ${path}`;
}

function checkSources(file: string): string[] {
  const named = readFileSync(file, 'utf8').matchAll(/@source[^\n]*?\b(docs\/[\w/.-]+\.md(?:#[\w-]+)?)/g);
  return [...named].flatMap(([, target = '']) => checkLink(file, relative(dirname(file), target)) ?? []);
}

const sources = files.filter((file) => /\.(ts|mjs|sql)$/.test(file) && existsSync(file));
const findings = [...pages].flatMap(([page, { links, inlineCodes }]) =>
  [...links.map((target) => checkLink(page, target)), ...inlineCodes.map((path) => checkPath(page, path))].filter(
    (finding) => finding !== undefined,
  ),
);
findings.push(...sources.flatMap(checkSources));
if (findings.length > 0) {
  console.error(findings.join('\n'));
  process.exit(1);
}
