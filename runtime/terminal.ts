/** Standard error on a terminal: lines scroll above a block that is redrawn in place. */

const isTty = process.stderr.isTTY === true;
/** Read here, because errors of the configuration are printed too. */
const format = process.env['LOG_FORMAT'];

/** Whether log lines and errors are text, not JSON. */
export const writesText = format === 'text' || (isTty && format !== 'json');

/** Whether progress is shown. A terminal of unknown size can't redraw lines. */
export const isTerminal = writesText && isTty && process.stderr.columns > 0 && process.stderr.rows > 0;

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
