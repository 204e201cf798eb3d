/** Draws the newest blocks as knots on a cord: size shows the transaction count, fill shows the gas. */
import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { Anchor } from '../../routes/anchors/anchor.ts';
import { counted } from './number.ts';

type Block = z.infer<typeof Anchor>;

const [width, height, distance] = [1_200, 72, 40];
export const knots = Math.floor(width / distance);

/** Returns the vertical offset of a block. It depends only on the block number, so a moving cord keeps its shape. */
const sway = (number: number) => 9 * Math.sin(number / 2.3) + 4 * Math.sin(number / 1.1);

/**
 * Hidden from screen readers, because the list of blocks has the same content.
 * @param blocks newest first
 */
export function cord(blocks: readonly Block[]): Html {
  const ordered = [...blocks].slice(0, knots).reverse();
  const maxTransactions = Math.max(1, ...ordered.map(({ transactionCount }) => transactionCount));
  const maxGas = Math.max(1, ...ordered.map(({ gasUsed }) => gasUsed));
  const positions = ordered.map((block, i) => ({
    block,
    x: width - distance * (ordered.length - i - 0.5),
    y: height / 2 + sway(block.number),
  }));
  const [first] = positions;
  const start = { x: (first?.x ?? width) - distance, y: height / 2 + sway((first?.block.number ?? 0) - 1) };
  return html`<svg class="cord" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
<path class="rope" d="${smooth([start, ...positions])}"/>${positions.map(({ block, x, y }, i) => {
    const radius = 4 + 10 * Math.sqrt(block.transactionCount / maxTransactions);
    const fill = radius * Math.sqrt(block.gasUsed / maxGas);
    const newest = i === ordered.length - 1;
    return html`<a href="/block/${block.number}" tabindex="-1"><title>Block ${grouped(block.number)}: ${counted(block.transactionCount, 'transaction')}</title><circle class="knot${newest && ' newest'}" cx="${x}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}"/><circle class="gas" cx="${x}" cy="${y.toFixed(1)}" r="${fill.toFixed(1)}"/></a>
`;
  })}</svg>`;
}

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
