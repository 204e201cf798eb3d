/** Keeps two processes from writing into one directory. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const pathIn = (dir: string) => join(dir, '.lock');

/** @throws Error if another running process has locked the directory */
export async function lock(dir: string): Promise<void> {
  try {
    await writeFile(pathIn(dir), String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = Number(await readFile(pathIn(dir), 'utf8'));
    if (owner !== process.pid && isAlive(owner))
      throw new Error(
        `process ${owner} writes into ${dir}: stop it first. If it does not run there, delete ${pathIn(dir)}`,
      );
    await writeFile(pathIn(dir), String(process.pid)); // its owner was killed
  }
}

export const unlock = (dir: string): Promise<void> => rm(pathIn(dir), { force: true });

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
