/**
 * Shows names, symbols and labels that anyone can store on the chain. Invisible and direction-changing characters
 * become codes. Texts that look like an address or a link are marked.
 * @source Unicode Standard Annex 9 (bidirectional text), Technical Report 36 (look-alikes)
 */
import { known } from '#runtime/known.ts';
import { type Html, html } from '../../drawing/html.ts';

const limits = { name: 64, symbol: 24, text: 400 } as const;

/** Maximum checked length, UTF-16 code units. */
const maxRead = 1_000;

const invisible = /(?![\t\n\r])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u3164\uffa0]/u;
const invisibleRun = new RegExp(`(${invisible.source})\\1*`, 'gu');
/** Matches more than two combining marks on one letter. No language uses them. */
const piledMarks = /(\p{M}{2})\p{M}+/gu;

const lookAlikes: Readonly<Record<string, string>> = {
  х: 'x',
  χ: 'x',
  '×': 'x',
  о: '0',
  ο: '0',
  o: '0',
  ø: '0',
  〇: '0',
  а: 'a',
  α: 'a',
  ɑ: 'a',
  с: 'c',
  е: 'e',
  ε: 'e',
  ԁ: 'd',
  ь: 'b',
  в: 'b',
  ß: 'b',
  ғ: 'f',
  ƒ: 'f',
  т: 't',
  τ: 't',
  н: 'h',
  к: 'k',
  κ: 'k',
  м: 'm',
  р: 'p',
  ρ: 'p',
  у: 'y',
  і: 'i',
  ι: 'i',
  ѕ: 's',
  ј: 'j',
};
const likeAddress = /(?<![\p{L}\p{N}])0\s*x(?:[0-9a-f]{6}|(?=[^\n]{0,64}\d)(?:\s*[0-9a-f.…]){4})/iu;
const likeLink =
  /:\s*\/\/|\bwww\b|[\p{L}\p{N}]\s*[.\u3002\uff0e\uff61\u2024]\s*\p{L}{2,}|^\s*(javascript|data|vbscript|mailto)\s*:/iu;

/** Returns a chain text as one line, cut to the maximum length of its kind. */
export function readableText(given: string, kind: keyof typeof limits = 'name'): string {
  return bounded(visible(given), kind);
}

function visible(given: string): string {
  return given
    .slice(0, maxRead)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(
      invisibleRun,
      (run) => `⟨U+${known(run.codePointAt(0), 'a character').toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replace(piledMarks, '$1')
    .trim();
}

function bounded(text: string, kind: keyof typeof limits): string {
  const characters = [...text];
  return characters.length > limits[kind] ? `${characters.slice(0, limits[kind]).join('')}…` : text;
}

/** Puts dots and colons of a link in brackets, so that the copied link does not work. */
const defanged = (text: string) => text.replace(/[.\u3002\uff0e\uff61\u2024]|:(?=\s*\/)/gu, '[$&]');

function folded(text: string): string {
  return [...text.normalize('NFKC').toLowerCase()].map((character) => lookAlikes[character] ?? character).join('');
}

/** Warns if the text imitates an address, a link or the native coin. */
export function detectDisguise(given: string, coin: string): string | undefined {
  const bare = given.slice(0, maxRead).normalize('NFKC').replace(new RegExp(invisible.source, 'gu'), '');
  if (likeAddress.test(folded(bare))) return 'looks like an address';
  if (likeLink.test(bare) || likeLink.test(given.slice(0, maxRead))) return 'looks like a link';
  return folded(bare).trim() === folded(coin) ? 'not the native coin' : undefined;
}

/** Renders text, never a link. A URL looks like a link, so it is not marked. */
export const urlText = (given: string): Html =>
  html`<small class="uri"><bdi>${readableText(given, 'text')}</bdi></small>`;

/** Renders a text from call data, logs or replies. It is not a name, so nothing is hidden. */
export const dataText = (given: string): Html =>
  given === ''
    ? html`<span class="muted">empty text</span>`
    : html`<bdi class="chain-text">${readableText(given, 'text')}</bdi>`;

/** Hides an imitated address; marks an imitated link or native coin. */
export function chainText(given: string | null, coin: string, kind: keyof typeof limits = 'name'): Html {
  const text = visible(given ?? '');
  if (given === null || text === '') return html`<span class="muted">unnamed</span>`;
  const disguise = detectDisguise(given, coin);
  const shown = bounded(disguise === 'looks like a link' ? defanged(text) : text, kind);
  if (disguise === 'looks like an address') return html`<span class="warn-text">name hidden: it ${disguise}</span>`;
  return html`<bdi class="chain-text">${shown}</bdi>${disguise && html` <span class="warn-text">(${disguise})</span>`}`;
}
