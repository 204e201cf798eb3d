/** Progress bar on one line, shown only on a terminal. */
const width = 28;

export class ProgressLine {
  readonly isVisible = process.stderr.isTTY === true;
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }

  /** @param share 0 to 1 */
  update(share: number, text: string): void {
    if (!this.isVisible) return;
    const filled = Math.round(Math.min(Math.max(share, 0), 1) * width);
    process.stderr.write(`\r\x1b[2K${this.label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${text}`);
  }

  finish(): void {
    if (this.isVisible) process.stderr.write('\n');
  }
}
