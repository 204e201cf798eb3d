/** Shows progress on the terminal. Child processes of `cordscan start` send their progress to the parent. */
import { endBlock, isTerminal, showBlock } from './terminal.ts';

const width = 28;
const sendEveryMs = 200;

/** Environment variable that makes a process send its progress to its parent. */
export const progressMark = 'CORDSCAN_SENDS_PROGRESS';

export interface ProgressMessage {
  readonly progress: { readonly label: string; readonly share: number; readonly text: string };
}

export class ProgressLine {
  readonly isVisible = isTerminal;
  readonly label: string;
  #sentAt = 0;

  constructor(label: string) {
    this.label = label;
  }

  /** @param share completed part of the work, 0 to 1 */
  update(share: number, text: string): void {
    if (process.env[progressMark] && (share >= 1 || Date.now() - this.#sentAt >= sendEveryMs)) {
      this.#sentAt = Date.now();
      process.send?.({ progress: { label: this.label, share, text } } satisfies ProgressMessage);
    }
    if (this.isVisible) showBlock(`${this.label} ${bar(share)} ${text}`);
  }

  finish(): void {
    if (this.isVisible) endBlock();
  }
}

export function bar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`;
}
