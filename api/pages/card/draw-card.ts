/**
 * Draws the preview picture that messengers and social networks show beside a link to a page.
 * @source Open Graph protocol, https://ogp.me
 */
import { colours, pictureSize } from '../../drawing/chart-picture.ts';
import { styledPath } from '../../drawing/chart-shape.ts';
import { type Html, html } from '../../drawing/html.ts';
import { renderPng } from '../../drawing/png.ts';
import type { Card } from './read-card.ts';

/** @param url path of the page, with or without a query */
export const cardPath = (url: string): string => `/card${url}`;

/** @returns PNG @throws ApiProblem rate_limited if many pictures are waiting */
export const drawCard = (card: Card, chainName: string): Promise<Buffer> => renderPng(cardSvg(card, chainName).text);

const left = 70;

function cardSvg({ title, subtitle, facts, chart }: Card, chainName: string): Html {
  const { width, height } = pictureSize;
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
  const [x, y] = [(pictureSize.width - 2 * left) / width, (pictureSize.height - 50 - top) / height];
  return html`<g transform="translate(${left} ${top}) scale(${x} ${y})">${paths.map((path) => styledPath(path, colours.knot))}</g>`;
}
