// The TypeScript of the service, compiled once for all its processes: through a loader each of them would spend two seconds
// on it. What is compiled lies in a folder named after the state of the sources, so it is never older than they are.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const sources =
  `api chain commands devchain edge engine gateway integrator pipeline registry runtime semantic sql`.split(' ');
const entries = ['commands/cli.ts', 'engine/main.ts'];
/** Where it goes: in the project, since packages are looked for from there. */
const place = join(root, 'build');
/** How long what another state of the sources gave is kept: a process may still run it, ms. */
const keptMs = 86_400_000;

/** Where a file of the service can be imported from, compiled. @param {string} source one of the entries */
export async function compiled(source) {
  const folder = await compile('service', sources, entries);
  return pathToFileURL(join(folder, source.replace(/\.ts$/, '.js'))).href;
}

/** Compiles all tests, and the service for the processes that they start. @returns the folder, from the project's root */
export async function compileTests() {
  await compile('service', sources, entries);
  const tests = filesOf('test').filter((file) => file.endsWith('.test.ts'));
  return relative(root, await compile('test', [...sources, 'bench', 'test'], tests));
}

async function compile(name, folders, entryPoints) {
  const id = `${name}-${fingerprint(folders)}`;
  const folder = join(place, id);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${randomBytes(4).toString('hex')}`;
  const { build } = await import('esbuild');
  await build({
    ...{ absWorkingDir: root, entryPoints, outbase: root, outdir: draft, plugins: [keepPlaces] },
    ...{ bundle: true, splitting: true, packages: 'external', format: 'esm', platform: 'node', target: 'node20' },
    ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'warning' },
  });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process was faster
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOlder(name, id);
  return folder;
}

/** Files find what lies beside them in the sources, wherever they are run from. */
const keepPlaces = {
  name: 'keep-places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        loader: 'ts',
        contents: text
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      };
    });
  },
};

/** Of names, sizes and times of all sources. */
function fingerprint(folders) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'bin/compiled.mjs', ...folders.flatMap(filesOf)]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .sort();

function forgetOlder(name, id) {
  for (const other of readdirSync(place)) {
    if (other === id || !other.startsWith(`${name}-`)) continue;
    if (Date.now() - statSync(join(place, other)).mtimeMs > keptMs)
      rmSync(join(place, other), { recursive: true, force: true });
  }
}
