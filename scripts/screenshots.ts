/**
 * Takes the screenshots of the docs from a running service.
 * Usage: ORIGIN=http://127.0.0.1:3000 node --import tsx scripts/screenshots.ts
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { getFirst } from '#runtime/lists.ts';

const origin = process.env['ORIGIN'] ?? 'http://127.0.0.1:3000';
const folder = join(import.meta.dirname, '../docs/screenshots');

async function first<T>(path: string): Promise<T> {
  const { items } = (await (await fetch(`${origin}/api/v1${path}`)).json()) as { items: T[] };
  return getFirst(items);
}

const { address: token } = await first<{ address: string }>('/tokens?limit=1&type=erc20');
const { txHash, from } = await first<{ txHash: string; from: string }>(`/tokentxns?token=${token}&limit=1`);
const pictures: readonly [name: string, path: string, width: number, colorScheme: 'light' | 'dark'][] = [
  ['home', '/', 1280, 'light'],
  ['transaction', `/tx/${txHash}`, 1280, 'light'],
  ['address', `/address/${from}`, 1280, 'dark'],
  ['token', `/token/${token}`, 1280, 'light'],
  ['chart', '/charts/newTxns', 1280, 'dark'],
  ['transaction-phone', `/tx/${txHash}`, 360, 'dark'],
  ['home-phone', '/', 360, 'light'],
];
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [name, path, width, colorScheme] of pictures) {
  const page = await browser.newPage({ viewport: { width, height: width < 500 ? 780 : 800 }, colorScheme });
  await page.goto(origin + path);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}
await browser.close();
