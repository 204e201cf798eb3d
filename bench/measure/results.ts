/** The files bench/results/<date>.json: one result per benchmark. */
import { readFileSync } from 'node:fs';

export interface Figure {
  readonly figure: string;
  readonly unit: string;
  /** A single value, or the summary of several. */
  readonly value?: number;
  readonly n?: number;
  readonly p50?: number;
  readonly p99?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface BenchResult {
  readonly commit: string;
  readonly cores: number;
  readonly node: string;
  /** Arguments of the command. */
  readonly args: readonly string[];
  readonly figures: readonly Figure[];
}

/** @returns results by bench; empty if the file does not exist */
export function readResults(file: string): Record<string, BenchResult> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, BenchResult>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
