/** Reads the content of a preview picture from the finished page. */
import type { ShapePath } from '../../drawing/chart-shape.ts';
import { cut, shorten } from '../../drawing/shorten.ts';
import type { PageView } from '../page.ts';

export interface Card {
  readonly title: string;
  /** Hash, address or description below the heading; may be empty. */
  readonly subtitle: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly chart: DrawnPaths | undefined;
}

interface DrawnPaths {
  readonly width: number;
  readonly height: number;
  readonly paths: readonly ShapePath[];
}

const maxFacts = 6;

/** These match elements as parts/facts.ts, parts/chart.ts and the pages write them. */
const [verdict, badge] = [/<div class="verdict[^"]*"><p[^>]*>(.*?)<\/p>/s, /<span class="badge[^"]*">(.*?)<\/span>/gs];
const [fact, heading] = [/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs, /<h1[^>]*>(.*?)<\/h1>/s];
const below = /<div class="title"><h1.*?<\/h1><p>(.*?)<\/p>|<p class="[^"]*\bfound\b[^"]*">(.*?)<\/p>/s;
const drawing = /<svg[^>]* viewBox="0 0 (\d+) (\d+)" preserveAspectRatio="none"[^>]*>(.*?)<\/svg>/s;
const shape = /<path class="(area|line|bars)" d="([^"]*)"/g;

export function readCard({ title, body }: PageView): Card {
  const stated = [['', 'State', readState(body.text)], ...body.text.matchAll(fact)];
  const facts = stated
    .map(([, name = '', value = '']) => ({ name: toText(name), value: shorten(toText(value), 34) }))
    .filter(({ value }) => value !== '');
  const [, name = ''] = heading.exec(body.text) ?? [];
  const [, ofTitle, found] = below.exec(body.text) ?? [];
  return {
    title: shorten(toText(name) || title, 48),
    subtitle: cut(toText(ofTitle ?? found ?? ''), 76),
    facts: facts.slice(0, maxFacts),
    chart: readDrawing(body.text),
  };
}

/** The picture of a payment must show that it failed or is not final. */
function readState(text: string): string {
  const [, line = ''] = verdict.exec(text) ?? [];
  return [...line.matchAll(badge)].map(([, state = '']) => state).join(', ');
}

function readDrawing(text: string): DrawnPaths | undefined {
  const [, width, height, content = ''] = drawing.exec(text) ?? [];
  const paths = [...content.matchAll(shape)].map(([, kind = '', d = '']) => ({ kind, d }));
  return paths.length === 0 ? undefined : { width: Number(width), height: Number(height), paths };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };

/** Omits notes, buttons and pictures. */
function toText(markup: string): string {
  return (
    markup
      .replace(/<(small|button|svg|details)\b.*?<\/\1>/gs, ' ')
      // replace relative times, which would soon be wrong
      .replace(/<time datetime="([\d-]+)T([\d:]{5})[^>]*>.*?<\/time>/gs, '$1 $2 UTC')
      .replace(/<[^>]*>/g, '')
      .replace(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => entities[name] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
