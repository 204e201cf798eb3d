/** On a terminal, log lines scroll above the progress lines, which are redrawn in place. */

const isTty = process.stderr.isTTY === true;
/** Read before the other configuration, whose errors need the format too. */
const format = process.env['LOG_FORMAT'];

export const writesText = format === 'text' || (isTty && format !== 'json');

/** A terminal of unknown size can't redraw lines. */
export const isTerminal = writesText && isTty && process.stderr.columns > 0 && process.stderr.rows > 0;

const draw = isTerminal
  ? (await import('log-update')).createLogUpdate(process.stderr, { showCursor: true })
  : undefined;
let block = '';

export function printLine(text: string): void {
  if (block !== '') draw?.clear();
  process.stderr.write(`${text}\n`);
  if (block !== '') draw?.(block);
}

export function showBlock(text: string): void {
  block = text;
  draw?.(text);
}

/** Leaves the progress lines on screen. The next ones start below. */
export function endBlock(): void {
  if (block !== '') draw?.done();
  block = '';
}
