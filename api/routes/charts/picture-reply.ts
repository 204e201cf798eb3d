import type { ChainState } from '#sql/snapshot.ts';
import { chartSvg, type Picture } from '../../drawing/chart-picture.ts';
import { renderPng } from '../../drawing/png.ts';
import { OtherReply } from '../../http/reply.ts';
import { isCertain } from '../../read/chain/freshness.ts';

/** Picture formats of charts, 1200 × 630 pixels. */
export const pictureFormats = ['svg', 'png'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export const pictureMediaTypes = ['image/svg+xml', 'image/png'];

export const isPicture = (format: string): format is PictureFormat => format === 'svg' || format === 'png';

/** Lets other websites show the picture. @source Fetch, Cross-Origin-Resource-Policy */
const embeddable = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** @throws ApiProblem rate_limited if many pictures are waiting */
export async function pictureReply(format: PictureFormat, picture: Picture): Promise<OtherReply> {
  const svg = chartSvg(picture);
  return format === 'svg'
    ? new OtherReply('image/svg+xml', svg, embeddable)
    : new OtherReply('image/png', await renderPng(svg), embeddable);
}

/** @param isPartial whether the last time bucket has not ended */
export const exactUpTo = (block: number, isPartial: boolean): string =>
  `Exact up to block ${block.toLocaleString('en-US')}${isPartial ? '; the last time bucket has not ended' : ''}`;

/** Note of a picture whose blocks are missing, contradicted by a node, or before START_BLOCK. */
export function notExactUpTo(state: ChainState): string {
  const { head, startBlock } = state;
  if (!isCertain(state)) return `Not exact: blocks up to ${head} are missing or in doubt`;
  return `Not exact: only blocks ${startBlock} to ${head} are indexed`;
}
