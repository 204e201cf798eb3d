/** Keeps two processes of one machine from writing into one directory. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

const pathIn = (dir: string) => join(dir, '.lock');
const own = `${process.pid} ${hostname()}`;

/** @throws Error if another running process of this machine has locked the directory */
export async function lock(dir: string): Promise<void> {
  const path = pathIn(dir);
  const mine = `${path}-${randomUUID()}`;
  await writeFile(mine, own);
  try {
    while (!(await isLinked(mine, path))) {
      const owner = await readFile(path, 'utf8').catch(() => '');
      if (owner === own) return;
      const [pid, ...host] = owner.split(' ');
      if (host.join(' ') === hostname() && isProcessAlive(Number(pid)))
        throw new Error(`process ${pid} writes into ${dir}: stop it first. If it does not run there, delete ${path}`);
      await rm(path, { force: true }); // its process was killed, or ran on another machine
    }
  } finally {
    await rm(mine, { force: true });
  }
}

export const unlock = (dir: string): Promise<void> => rm(pathIn(dir), { force: true });

/** Creates a link, which fails if the file exists: unlike a new file, it never lacks its content. @returns false if it exists */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    // some file systems have no links, and so no lock
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
}
