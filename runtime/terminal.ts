/** Standard error on a terminal: lines scroll above a block that is redrawn in place. */

/** True where people read: progress bars are shown. Read here, because errors of the configuration are printed too. */
export const isTerminal = process.stderr.isTTY === true && process.env['LOG_FORMAT'] !== 'json';

/** Whether log lines and errors are text, not JSON. */
export const writesText = isTerminal || process.env['LOG_FORMAT'] === 'text';

/** Loaded only for a terminal. */
const draw = isTerminal
  ? (await import('log-update')).createLogUpdate(process.stderr, { showCursor: true })
  : undefined;
let block = '';

/** Writes lines above the block. */
export function printLine(text: string): void {
  if (block !== '') draw?.clear();
  process.stderr.write(`${text}\n`);
  if (block !== '') draw?.(block);
}

/** Draws the block, in place of the one before. */
export function showBlock(text: string): void {
  block = text;
  draw?.(text);
}

/** Leaves the block on the screen; the next one starts below it. */
export function endBlock(): void {
  if (block !== '') draw?.done();
  block = '';
}
