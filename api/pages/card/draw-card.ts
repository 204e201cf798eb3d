/**
 * Draws the preview picture of a page, which messengers and social networks show beside a link to it.
 * @source Open Graph protocol, https://ogp.me; 1200 × 630 pixels is the size that its readers recommend
 */
import { fileURLToPath } from 'node:url';
import { renderAsync } from '@resvg/resvg-js';
import PQueue from 'p-queue';
import { ApiProblem } from '../../terms/errors.ts';
import { type Html, html } from '../html.ts';
import type { Card } from './read-card.ts';

export const cardSize = { width: 1200, height: 630 } as const;

/** Returns the path of the picture of a page. @param url path of the page, with or without a query */
export const cardPath = (url: string): string => `/card${url}`;

const fontFiles = [
  import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
].map((url) => fileURLToPath(url));

/** One picture at a time: drawing takes a core for about 50 ms. */
const queue = new PQueue({ concurrency: 1 });
const maxWaiting = 20;

/** @returns PNG @throws ApiProblem rate_limited if many pictures are waiting */
export async function drawCard(card: Card, chainName: string): Promise<Buffer> {
  if (queue.size >= maxWaiting)
    throw new ApiProblem('rate_limited', 'many preview pictures are being drawn: try again in a second');
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
  const drawn = await queue.add(() => renderAsync(cardSvg(card, chainName).text, { font }));
  return drawn.asPng();
}

const colours = { ground: '#faf8f5', ink: '#1d2427', soft: '#59636a', knot: '#0f766e', rope: '#c2703d' } as const;
const left = 70;

function cardSvg({ title, subtitle, facts, chart }: Card, chainName: string): Html {
  const { width, height } = cardSize;
  const rows = facts.slice(0, chart ? 2 : undefined);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans">
<rect width="${width}" height="${height}" fill="${colours.ground}"/>
<g transform="translate(${left} 56) scale(1.6)"><path d="M2 20c5 0 6-9 11-9s5 10 10 10 5-6 7-6" fill="none" stroke="${colours.rope}" stroke-width="3" stroke-linecap="round"/><circle cx="18" cy="16" r="6.5" fill="${colours.knot}"/><circle cx="18" cy="16" r="2.5" fill="${colours.ground}"/></g>
<text x="${left + 68}" y="92" font-size="28" fill="${colours.soft}">Cordscan · ${chainName.slice(0, 40)}</text>
<text x="${left}" y="180" font-size="${title.length > 30 ? 36 : 54}" font-weight="bold" fill="${colours.ink}">${title}</text>
<text x="${left}" y="228" font-size="23" fill="${colours.soft}">${subtitle}</text>
${rows.map((fact, at) => factView(fact, left + (at % 2) * 540, 300 + Math.floor(at / 2) * 110))}${chart && chartView(chart, rows.length === 0 ? 270 : 385)}
<rect y="${height - 12}" width="${width}" height="12" fill="${colours.knot}"/></svg>`;
}

const factView = ({ name, value }: Card['facts'][number], x: number, y: number) =>
  html`<text x="${x}" y="${y}" font-size="22" fill="${colours.soft}">${name.slice(0, 40)}</text><text x="${x}" y="${y + 40}" font-size="${value.length > 24 ? 24 : 32}" fill="${colours.ink}">${value}</text>`;

function chartView({ width, height, paths }: NonNullable<Card['chart']>, top: number): Html {
  const [x, y] = [(cardSize.width - 2 * left) / width, (cardSize.height - 50 - top) / height];
  const styles: Readonly<Record<string, Html>> = {
    area: html`fill="${colours.knot}" fill-opacity="0.15"`,
    line: html`fill="none" stroke="${colours.knot}" stroke-width="3" vector-effect="non-scaling-stroke"`,
    bars: html`fill="${colours.knot}"`,
  };
  return html`<g transform="translate(${left} ${top}) scale(${x} ${y})">${paths.map(({ kind, d }) => html`<path ${styles[kind]} d="${d}"/>`)}</g>`;
}
