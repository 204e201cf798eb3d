import { fileURLToPath } from 'node:url';
import { renderAsync } from '@resvg/resvg-js';
import PQueue from 'p-queue';
import { ApiProblem } from '../terms/errors.ts';

const fontFiles = [
  import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
].map((url) => fileURLToPath(url));
const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };

/** One picture at a time: each occupies a CPU core for about 50 ms. */
const queue = new PQueue({ concurrency: 1 });
const maxWaiting = 20;

/** @returns PNG @throws ApiProblem rate_limited if many pictures are waiting */
export async function renderPng(svg: string): Promise<Buffer> {
  if (queue.size >= maxWaiting)
    throw new ApiProblem('rate_limited', 'many pictures are being drawn: try again in a second');
  const drawn = await queue.add(() => renderAsync(svg, { font }));
  return drawn.asPng();
}
