/** The newest blocks as knots on a cord: the bigger, the more transactions; the fuller, the more gas. */
import type { z } from 'zod';
import type { Anchor } from '../../routes/anchors/anchor.ts';
import { type Html, html } from '../html.ts';
import { grouped } from './number.ts';

type Block = z.infer<typeof Anchor>;

const [width, height, distance] = [1_200, 72, 40];
/** Knots that are shown. */
export const knots = Math.floor(width / distance);

/** How far the cord lies above or below its middle at a place: it hangs the same while it moves on. */
const sway = (number: number) => 9 * Math.sin(number / 2.3) + 4 * Math.sin(number / 1.1);

/** @param blocks newest first. Decoration beside the list of the same blocks: not read out, not walked through */
export function cord(blocks: readonly Block[]): Html {
  const ordered = [...blocks].slice(0, knots).reverse();
  const most = Math.max(1, ...ordered.map(({ transactionCount }) => transactionCount));
  const mostGas = Math.max(1, ...ordered.map(({ gasUsed }) => gasUsed));
  const places = ordered.map((block, i) => ({
    block,
    x: width - distance * (ordered.length - i - 0.5),
    y: height / 2 + sway(block.number),
  }));
  const [first] = places;
  const start = { x: (first?.x ?? width) - distance, y: height / 2 + sway((first?.block.number ?? 0) - 1) };
  return html`<svg class="cord" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
<path class="rope" d="${smooth([start, ...places])}"/>${places.map(({ block, x, y }, i) => {
    const radius = 4 + 10 * Math.sqrt(block.transactionCount / most);
    const fill = radius * Math.sqrt(block.gasUsed / mostGas);
    const newest = i === ordered.length - 1;
    return html`<a href="/block/${block.number}" tabindex="-1"><title>Block ${grouped(block.number)}: ${block.transactionCount} transactions</title><circle class="knot${newest && ' newest'}" cx="${x}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}"/><circle class="gas" cx="${x}" cy="${y.toFixed(1)}" r="${fill.toFixed(1)}"/></a>
`;
  })}</svg>`;
}

/** A line without corners through points. @returns path data */
function smooth(points: readonly { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, i) => {
      const before = points[i - 1];
      if (!before) return `M${x} ${y.toFixed(1)}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y.toFixed(1)} ${middle} ${y.toFixed(1)} ${x} ${y.toFixed(1)}`;
    })
    .join('');
}
