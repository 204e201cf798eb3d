/** Compares a reply that the docs show with the real one. `…` stands for omitted fields, items or text. */
import { parse } from 'yaml';

const ellipsis = '…';

/** Returns how a reply in the docs differs from the real one. */
export function compareReply(language: string, shown: string, real: string): string[] {
  if (language === 'json') return compareJson(parse(shown), JSON.parse(real), '$');
  if (language === 'csv') return compareHeader(shown, real);
  const lines = shown.split('\n').filter((line) => line.trim() !== '' && line.trim() !== ellipsis);
  return lines.filter((line) => !linePattern(line).test(real)).map((line) => `no line like: ${line}`);
}

/** YAML is a superset of JSON. Its flow style needs no quotes, so `…` can be a key or an item. */
function compareJson(shown: unknown, real: unknown, path: string): string[] {
  if (Array.isArray(shown) && Array.isArray(real)) {
    return shown.flatMap((item, i) => (item === ellipsis ? [] : compareItem(item, real, `${path}[${i}]`)));
  }
  if (isObject(shown) && isObject(real)) return compareFields(shown, real, path);
  const [shownKind, realKind] = [getKind(shown), getKind(real)];
  return shownKind === realKind ? [] : [`${path}: the docs show ${shownKind}, the reply has ${realKind}`];
}

function compareItem(item: unknown, real: readonly unknown[], path: string): string[] {
  const differences = real.map((each) => compareJson(item, each, path));
  return differences.sort((a, b) => a.length - b.length)[0] ?? [`${path}: the reply has no items`];
}

function compareFields(shown: Row, real: Row, path: string): string[] {
  const known = Object.keys(shown).filter((key) => key !== ellipsis);
  const isPartial = ellipsis in shown;
  const omitted = isPartial ? [] : Object.keys(real).filter((key) => !known.includes(key));
  return [
    ...omitted.map((key) => `${path}.${key}: the docs omit it without …`),
    ...known.flatMap((key) =>
      key in real ? compareJson(shown[key], real[key], `${path}.${key}`) : [`${path}.${key}: the reply lacks it`],
    ),
  ];
}

type Row = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Words for a kind of text. Other single words are constants such as `creditable` and must be equal. */
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['hex', /^0x[0-9a-fA-F]*…?$/],
  ['a decimal string', /^-?\d+(\.\d+)?$/],
  ['a time', /^\d{4}-\d\d-\d\dT/],
  ['text', /[^A-Za-z_]|^$/],
];

function getKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return `a ${typeof value}`;
  return kinds.find(([, pattern]) => pattern.test(value))?.[0] ?? `"${value}"`;
}

function compareHeader(shown: string, real: string): string[] {
  const [shownLine, realLine] = [shown, real].map((text) => text.split(/\r?\n/)[0]);
  return shownLine === realLine ? [] : [`the docs show the columns ${shownLine}, the reply has ${realLine}`];
}

/** Numbers and times in a line may differ. */
function linePattern(line: string): RegExp {
  const escaped = line.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    escaped
      .replace(/[ \t]+/g, '\\s+')
      .replace(/\d+/g, '\\d+')
      .replaceAll(ellipsis, '.*'),
  );
}
