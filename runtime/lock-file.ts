/** Prevents two processes from writing into one directory, even from containers or machines that share it. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { machine } from './machine.ts';
import { isProcessAlive } from './process-alive.ts';
import { pause } from './shutdown.ts';

const { host, bootId, pidNamespace } = machine;
const own = [process.pid, host, bootId, pidNamespace, randomUUID()].join(' ');
/**
 * Interval of heartbeats, and time without one after which a process of another machine or PID namespace counts as
 * dead, ms.
 */
const [beatMs, silenceMs] = [10_000, 60_000];
const guardCheckMs = 50;
const ownerCheckMs = 500;

interface Holding {
  readonly file: FileHandle;
  readonly beating: NodeJS.Timeout;
}

interface Owner {
  readonly text: string;
  /** Time of the last heartbeat, ms. */
  readonly beatAt: number;
}

/** Locks of this process, by directory. */
const holdings = new Map<string, Holding>();

const pathIn = (dir: string) => join(dir, '.lock');

/**
 * Locks a directory. Waits up to a minute for a lock that a killed process of another machine or container may have
 * left.
 * @throws Error if another running process has locked the directory, or the signal aborts
 */
export async function lock(dir: string, signal?: AbortSignal): Promise<void> {
  const mine = `${pathIn(dir)}-${randomUUID()}`;
  const file = await open(mine, 'w');
  let isNew = false;
  try {
    isNew = await acquire(dir, mine, file, signal);
    if (!isNew) return;
    const beating = setInterval(() => void beat(file).catch(() => undefined), beatMs).unref();
    holdings.set(resolve(dir), { file, beating });
  } finally {
    if (!isNew) await file.close();
    await rm(mine, { force: true });
  }
}

export async function unlock(dir: string): Promise<void> {
  const holding = holdings.get(resolve(dir));
  holdings.delete(resolve(dir));
  clearInterval(holding?.beating);
  await holding?.file.close();
  const path = pathIn(dir);
  if ((await readOwner(path))?.text === own) await rm(path, { force: true });
}

/** @returns false if this process has the lock already */
async function acquire(dir: string, mine: string, file: FileHandle, signal: AbortSignal | undefined): Promise<boolean> {
  const path = pathIn(dir);
  const watch = new OwnerWatch(dir);
  for (;;) {
    const now = await beat(file);
    if (await isLinked(mine, path)) return true;
    const owner = await readOwner(path);
    if (owner?.text === own) return false;
    if (!owner) continue;
    if (watch.hasEnded(owner, now)) await removeStale(path, owner, now);
    else await waitForOwner(signal);
  }
}

/**
 * Writes a heartbeat to this process's file, even if another process has replaced the lock.
 * @returns the time of the file system, ms: machines that share a disk may have different clocks
 */
async function beat(file: FileHandle): Promise<number> {
  await file.write(own, 0);
  await file.datasync();
  return (await file.stat()).mtimeMs;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const file = await open(path);
    try {
      return { text: await file.readFile('utf8'), beatAt: (await file.stat()).mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

class OwnerWatch {
  #seen: { readonly owner: Owner; readonly sinceMs: number } | undefined;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Returns whether the owner of the lock has ended; false if unknown. @throws Error if it runs */
  hasEnded(owner: Owner, now: number): boolean {
    const seen = this.#seen?.owner.text === owner.text ? this.#seen : { owner, sinceMs: performance.now() };
    this.#seen = seen;
    if (seen.owner.beatAt !== owner.beatAt) throw createHeld(owner, this.dir);
    // if a clock was set back, the file's time can be in the future
    return isGone(owner, now, this.dir) || performance.now() - seen.sinceMs > silenceMs;
  }
}

async function waitForOwner(signal: AbortSignal | undefined): Promise<void> {
  await pause(ownerCheckMs, signal);
  if (signal?.aborted) throw new Error('stopped while another process may hold the lock');
}

function createHeld({ text }: Owner, dir: string): Error {
  const [pid, itsHost] = text.split(' ');
  return new Error(`process ${pid} of host ${itsHost} writes into ${dir}: stop it first`);
}

/**
 * Returns whether the owner of a lock has ended; false if unknown.
 * @throws Error if it runs on this machine
 */
function isGone({ text, beatAt }: Owner, now: number, dir: string): boolean {
  // earlier versions wrote only pid and host
  const [pid, itsHost, itsBootId, itsNamespace] = text.split(' ');
  const isSameHost = itsHost === host;
  const isSameSystem = itsBootId === bootId && itsNamespace === pidNamespace;
  const isNamed = bootId !== '' && pidNamespace !== '';
  const isLocal = isSameSystem ? isSameHost || isNamed : isSameHost && itsBootId === undefined;
  if (isLocal) {
    if (Number(pid) === process.pid || !isProcessAlive(Number(pid))) return true;
    throw new Error(
      `process ${pid} writes into ${dir}: stop it first. If it does not run there, delete ${pathIn(dir)}`,
    );
  }
  return now - beatAt > silenceMs;
}

/**
 * Removes the lock of a dead process. Only one process at a time may do this: another that read the same owner could
 * remove the next lock.
 */
async function removeStale(path: string, { text }: Owner, now: number): Promise<void> {
  const guard = `${path}-takeover`;
  if (!(await isCreated(guard))) {
    const createdAt = (await stat(guard).catch(() => undefined))?.mtimeMs ?? now;
    if (now - createdAt > silenceMs) await rm(guard, { force: true }); // the process that created the guard was killed
    await pause(guardCheckMs);
    return;
  }
  try {
    if ((await readOwner(path))?.text === text) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/** Creates a link. Unlike a new file, it always has its content. @returns false if the file exists */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    // some file systems have no links, and so no locks
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
}

async function isCreated(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
