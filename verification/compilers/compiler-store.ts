/**
 * Finds a compiler: bundled, in COMPILERS_DIR, or downloaded from COMPILERS_URL. Both sources must contain list.json,
 * and a build must have the SHA-256 in the list.
 * @source https://docs.soliditylang.org/en/latest/installing-solidity.html#static-binaries, list.json of solc-bin
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { readBounded } from '#runtime/read-bounded.ts';

export interface CompilerSettings {
  /** Directory with list.json and builds. */
  readonly dir: string | undefined;
  /** URL of a directory with list.json and builds, without a trailing slash. */
  readonly url: string | undefined;
  readonly downloadsDir: string;
  readonly timeoutMs: number;
}

export interface CompilerFile {
  /** Absolute, because the compiling process loads it as a module. */
  readonly path: string;
  /** Long version without a leading v, such as 0.8.37+commit.6f28cc1a. */
  readonly version: string;
}

/** No source has the requested compiler, or the source does not answer. */
export class CompilerError extends Error {
  override readonly name = 'CompilerError';
  readonly code: 'unsupported_compiler_version' | 'compiler_unavailable';

  /** @param cause detail for the log; may name paths and hosts */
  constructor(code: CompilerError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const Build = z.object({
  path: z.string().regex(/^[\w.+-]+\.js$/),
  longVersion: z.string(),
  sha256: z.string().regex(/^0x[0-9a-f]{64}$/),
});
type Build = z.infer<typeof Build>;
const BuildList = z.object({ builds: z.array(Build) });

const maxListBytes = 4 << 20;
const maxBuildBytes = 64 << 20;
/** Timeout for the list of compilers, ms. An explorer page waits for it. */
const listTimeoutMs = 5_000;
/** Time before the list of COMPILERS_URL is read again, ms. New compilers appear a few times per year. */
const listAgeMs = 3_600_000;

const require = createRequire(import.meta.url);

export class CompilerStore {
  readonly settings: CompilerSettings;
  #list: { readonly at: number; readonly builds: Promise<readonly Build[]> } | undefined;
  /** Running downloads by file name, shared by concurrent requests. */
  readonly #downloads = new Map<string, Promise<string>>();

  constructor(settings: CompilerSettings) {
    this.settings = settings;
  }

  /** Long versions, newest first. */
  async versions(): Promise<string[]> {
    const builds = await Promise.all([this.#localBuilds(), this.#remoteBuilds().catch(() => [])]);
    const versions = new Set([this.bundled().version, ...builds.flat().map(({ longVersion }) => longVersion)]);
    return [...versions].sort(compareVersions).reverse();
  }

  /**
   * Downloads the compiler if necessary.
   * @param version short (0.8.37) or long (v0.8.37+commit.6f28cc1a), with or without a leading v
   * @throws CompilerError
   */
  async find(version: string): Promise<CompilerFile> {
    const wanted = version.trim().replace(/^v/, '');
    const bundled = this.bundled();
    if (isSameVersion(bundled.version, wanted)) return bundled;
    const local = (await this.#localBuilds()).find(({ longVersion }) => isSameVersion(longVersion, wanted));
    const { dir } = this.settings;
    if (local && dir !== undefined) {
      const path = resolve(dir, local.path);
      await assertDigest(path, local);
      return { path, version: local.longVersion };
    }
    const remote = (await this.#remoteBuilds()).find(({ longVersion }) => isSameVersion(longVersion, wanted));
    if (remote) return { path: await this.#download(remote), version: remote.longVersion };
    throw new CompilerError(
      'unsupported_compiler_version',
      `no Solidity compiler ${wanted.slice(0, 60)} is available; available are ${(await this.versions()).slice(0, 5).join(', ')}`,
    );
  }

  /** Returns the compiler of the package solc. */
  bundled(): CompilerFile {
    return { path: require.resolve('solc/soljson.js'), version: bundledVersion };
  }

  async #localBuilds(): Promise<readonly Build[]> {
    const { dir } = this.settings;
    if (dir === undefined) return [];
    try {
      return parseList(await readFile(join(dir, 'list.json'), 'utf8'));
    } catch (error) {
      throw new CompilerError('compiler_unavailable', 'the directory of compilers has no valid list.json', error);
    }
  }

  #remoteBuilds(): Promise<readonly Build[]> {
    const { url } = this.settings;
    if (url === undefined) return Promise.resolve([]);
    if (!this.#list || Date.now() - this.#list.at > listAgeMs) {
      const builds = this.#fetch(`${url}/list.json`, maxListBytes).then((bytes) =>
        parseList(bytes.toString()).filter(({ longVersion }) => isRelease(longVersion)),
      );
      const list = { at: Date.now(), builds };
      this.#list = list;
      builds.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    return this.#list.builds;
  }

  #download(build: Build): Promise<string> {
    const running = this.#downloads.get(build.path) ?? this.#store(build);
    this.#downloads.set(build.path, running);
    return running.finally(() => this.#downloads.delete(build.path));
  }

  async #store(build: Build): Promise<string> {
    const { url, downloadsDir } = this.settings;
    const path = resolve(downloadsDir, basename(build.path));
    const isStored = await assertDigest(path, build).then(
      () => true,
      () => false,
    );
    if (isStored) return path;
    const bytes = await this.#fetch(`${url}/${build.path}`, maxBuildBytes);
    if (sha256(bytes) !== build.sha256)
      throw new CompilerError('compiler_unavailable', `${build.path} has another SHA-256 than the list of compilers`);
    await mkdir(downloadsDir, { recursive: true });
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    await writeFile(draft, bytes);
    await rename(draft, path);
    return path;
  }

  async #fetch(url: string, maxBytes: number): Promise<Buffer> {
    const unavailable = (reason: string, cause?: unknown) =>
      new CompilerError('compiler_unavailable', `compilers can't be read from the configured server: ${reason}`, cause);
    const signal = AbortSignal.timeout(
      Math.min(this.settings.timeoutMs, maxBytes === maxListBytes ? listTimeoutMs : Infinity),
    );
    const reply = await fetch(url, { signal, redirect: 'error' }).catch((error: unknown) => {
      throw unavailable('it does not answer', error);
    });
    if (!reply.ok || !reply.body) throw unavailable(`status ${reply.status}`);
    return readBounded(reply.body, maxBytes, () => unavailable(`the file exceeds ${maxBytes} bytes`));
  }
}

/**
 * A constant, because loading the compiler takes 120 MiB and installs handlers that end the process on an unhandled
 * rejection.
 */
const bundledVersion = '0.8.37+commit.f401782d';

/**
 * Excludes nightly builds: callers choose the version, and hundreds of downloads would fill the disk. @source
 * semver.org, 9
 */
const isRelease = (longVersion: string) => !/^[^+]*-/.test(longVersion);

function parseList(text: string): readonly Build[] {
  return BuildList.parse(JSON.parse(text)).builds;
}

async function assertDigest(path: string, build: Build): Promise<void> {
  if (sha256(await readFile(path)) !== build.sha256)
    throw new CompilerError('compiler_unavailable', `${build.path} has another SHA-256 than the list of compilers`);
}

const sha256 = (bytes: Buffer) => `0x${createHash('sha256').update(bytes).digest('hex')}`;

/** A version without a commit matches every build of this release. */
function isSameVersion(long: string, wanted: string): boolean {
  return long === wanted || (!wanted.includes('+') && long.split('+')[0] === wanted);
}

function compareVersions(a: string, b: string): number {
  const parts = (version: string) =>
    (version.split('+')[0] ?? '').split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < 4; i++) if ((left[i] ?? 0) !== (right[i] ?? 0)) return (left[i] ?? 0) - (right[i] ?? 0);
  return a < b ? -1 : a > b ? 1 : 0;
}
