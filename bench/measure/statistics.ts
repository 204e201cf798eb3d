import { execSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Returns the number of values, p50, p99, minimum and maximum, rounded to a tenth. */
export function summary(values: readonly number[]) {
  const round = (value: number) => Math.round(value * 10) / 10;
  const [p50, p99] = [round(quantile(values, 0.5)), round(quantile(values, 0.99))];
  return { n: values.length, p50, p99, min: round(Math.min(...values)), max: round(Math.max(...values)) };
}

/** Returns the CPU time of a process, seconds. @source proc(5), stat fields 14 and 15 */
export const cpuSeconds = (pid: number): number => readCpuSeconds(`/proc/${pid}/stat`);

/** Returns the CPU time of the main thread of this process, seconds. */
export const mainThreadSeconds = (): number => readCpuSeconds(`/proc/self/task/${process.pid}/stat`);

/** Returns the CPU time, in seconds, of all processes of a process group, including their ended children. */
export const groupCpuSeconds = (group: number): number =>
  sumCpuSeconds((pid) => statFields(`/proc/${pid}/stat`)[2] === String(group));

/** Returns the CPU time, in seconds, of all processes with a program name, including their ended children. */
export const programCpuSeconds = (name: string): number =>
  sumCpuSeconds((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name);

function sumCpuSeconds(isCounted: (pid: string) => boolean): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const times = pids.map((pid) => {
    try {
      return isCounted(pid) ? readCpuSeconds(`/proc/${pid}/stat`, 4) : 0;
    } catch {
      return 0; // the process has ended
    }
  });
  return times.reduce((sum, seconds) => sum + seconds, 0);
}

export function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** @param count number of fields to add up, from the user time on: 4 also counts ended children (fields 16 and 17) */
function readCpuSeconds(file: string, count = 2): number {
  const times = statFields(file).slice(11, 11 + count);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Returns the fields of a process after its name, from field 3 on. @source proc(5), stat */
function statFields(file: string): string[] {
  const stat = readFileSync(file, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export const residentMegabytes = (pid: number) => statusMegabytes(pid, /VmRSS:\s+(\d+)/);

export const peakMegabytes = (pid: number) => statusMegabytes(pid, /VmHWM:\s+(\d+)/);

/** Returns a memory figure of a process, in MiB. @source proc(5), status, which has kB */
const statusMegabytes = (pid: number, field: RegExp) =>
  Math.round(Number(field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

export const commitNow = (): string => execSync('git rev-parse --short HEAD').toString().trim();
