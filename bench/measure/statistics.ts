import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
export const cpuSeconds = (pid: number): number => cpuSecondsOf(`/proc/${pid}/stat`);

/** Returns the CPU time of the main thread of this process, seconds. */
export const mainThreadSeconds = (): number => cpuSecondsOf(`/proc/self/task/${process.pid}/stat`);

function cpuSecondsOf(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const residentMegabytes = (pid: number) => statusMegabytes(pid, /VmRSS:\s+(\d+)/);

export const peakMegabytes = (pid: number) => statusMegabytes(pid, /VmHWM:\s+(\d+)/);

/** Returns a memory figure of a process, in MiB. @source proc(5), status, which has kB */
const statusMegabytes = (pid: number, field: RegExp) =>
  Math.round(Number(field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

export const commitNow = (): string => execSync('git rev-parse --short HEAD').toString().trim();
