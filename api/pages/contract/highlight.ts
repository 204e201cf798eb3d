import { type Html, html } from '../../drawing/html.ts';

const keywords = [
  ...'abstract address anonymous as assembly bool break bytes calldata case catch constant constructor continue'.split(
    ' ',
  ),
  ...'contract default delete do else emit enum error event external fallback false fixed for from function if'.split(
    ' ',
  ),
  ...'immutable import indexed interface internal is let leave library mapping memory modifier new override payable'.split(
    ' ',
  ),
  ...'pragma private public pure receive return returns revert storage string struct super switch this throw transient'.split(
    ' ',
  ),
  ...'true try type unchecked using var view virtual while'.split(' '),
].join('|');

/** Matches a token: comment, string, keyword or elementary type, number. An unclosed comment ends with the text. */
const token = new RegExp(
  [
    String.raw`(\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*)`,
    String.raw`("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`,
    String.raw`\b(${keywords}|u?int\d*|bytes\d+)\b`,
    String.raw`\b(0x[0-9a-fA-F]+|\d[\d_.]*(?:e\d+)?)\b`,
  ].join('|'),
  'g',
);
const classes = ['c', 's', 'k', 'n'] as const;

/** Invisible or direction-changing characters, which can hide code. @source CVE-2021-42574 */
const hidden = /([\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff])/u;

/**
 * A lone carriage return also ends a line for the compiler: code after it is not part of a comment. @source solc,
 * Scanner
 */
export const normalizeLineEnds = (source: string): string => source.replace(/\r\n?/g, '\n');

/** Lines have the ids `L1`, `L2` and so on. */
export function codeView(source: string, find = ''): Html {
  const lines = splitLines(normalizeLineEnds(source));
  const found = new Set(find === '' ? [] : findLines(source, find));
  return html`<ol class="code" tabindex="0" aria-label="Lines of the source code">${lines.map(
    (line, i) => html`<li id="L${i + 1}"${found.has(i + 1) && html` class="found"`}>${line}
</li>`,
  )}</ol>`;
}

/** Returns the numbers of the lines that contain a text. Ignores case. */
export function findLines(source: string, find: string): number[] {
  const wanted = find.toLowerCase();
  const lines = normalizeLineEnds(source).split('\n');
  return lines.flatMap((line, i) => (line.toLowerCase().includes(wanted) ? [i + 1] : []));
}

function splitLines(source: string): Html[][] {
  const lines: Html[][] = [[]];
  const add = (text: string, name?: string) => {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (part !== '')
        lines.at(-1)?.push(name ? html`<i class="${name}">${visible(part)}</i>` : html`${visible(part)}`);
    }
  };
  let at = 0;
  for (const match of source.matchAll(token)) {
    add(source.slice(at, match.index));
    const group = match.slice(1).findIndex((text) => text !== undefined);
    add(match[0], classes[group]);
    at = match.index + match[0].length;
  }
  add(source.slice(at));
  return lines;
}

function visible(text: string): readonly (Html | string)[] {
  return text
    .split(hidden)
    .map((part, i) =>
      i % 2 === 1
        ? html`<mark>U+${part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}</mark>`
        : part,
    );
}
