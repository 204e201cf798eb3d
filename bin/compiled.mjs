// Compiles the TypeScript once for all processes. Compiling at load time takes each process 2 seconds. The output
// folder's name contains a hash of the sources.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const sources =
  `api chain client commands devchain edge engine gateway integrator mirror pipeline registry runtime semantic sql verification`.split(
    ' ',
  );
const entries = ['commands/cli.ts', 'engine/main.ts', 'pipeline/encode/thread.ts', 'verification/worker/main.ts'];
/** Must be inside the project, because Node otherwise does not find the installed packages. */
const buildFolder = join(root, 'build');
/** Time before outdated output is deleted, ms. A running process may still load it. */
const maxAgeMs = 86_400_000;

/** @param {string} source TypeScript file to run @returns URL of the compiled file */
export async function compiled(source) {
  const folder = await compile('service', sources, entries);
  return pathToFileURL(join(folder, source.replace(/\.ts$/, '.js'))).href;
}

/** Compiles tests and service. @returns the folder of the tests, relative to the project root */
export async function compileTests() {
  await compile('service', sources, entries);
  const tests = listFiles('test').filter((file) => file.endsWith('.test.ts'));
  return relative(root, await compile('test', [...sources, 'bench', 'scripts', 'test'], tests));
}

async function compile(name, folders, entryPoints) {
  const id = `${name}-${fingerprint(folders)}`;
  const folder = join(buildFolder, id);
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
    if (!existsSync(folder)) throw error; // another process created the folder first
    rmSync(draft, { recursive: true, force: true });
  }
  removeOutdated(name, id);
  return folder;
}

/**
 * Replaces import.meta.url and import.meta.dirname by those of the source file, because code reads files next to its
 * source.
 */
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

function fingerprint(folders) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'bin/compiled.mjs', ...folders.flatMap(listFiles)]) {
    const { size, mtimeMs } = statSync(join(root, file));
    // whole seconds, because container image layers store no fractions
    hash.update(`${file} ${size} ${Math.floor(mtimeMs / 1_000)}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

const listFiles = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.(ts|json)$/.test(file)) // JSON files are also imported
    .map((file) => join(folder, file))
    .sort();

function removeOutdated(name, id) {
  for (const other of readdirSync(buildFolder)) {
    if (other === id || !other.startsWith(`${name}-`)) continue;
    if (Date.now() - statSync(join(buildFolder, other)).mtimeMs > maxAgeMs)
      rmSync(join(buildFolder, other), { recursive: true, force: true });
  }
}
