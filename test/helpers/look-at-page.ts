/** Opens explorer pages in a browser and checks errors, accessibility and width. */
import type { Browser, Page } from 'playwright-core';
import { axe } from './chromium.ts';
import { waitFor } from './processes.ts';

export type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the browser. */
  readonly faults: string[];
  go(path: string): Promise<void>;
}

export async function openPage(browser: Browser, origin: string, options: ContextOptions): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  const go = async (path: string) => void (await page.goto(origin + path, { waitUntil: 'load' }));
  return { page, faults, go };
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Returns all violations of the rules of axe-core, each with two of its elements. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult;
  const describe = (nodes: AxeResult['violations'][number]['nodes']) => nodes.map(({ html }) => html.slice(0, 160));
  return violations.map(({ id, nodes }) => `${id}: ${describe(nodes.slice(0, 2)).join(' | ')}`);
}

/** Returns by how many pixels the page is wider than the window. */
export const overflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The condition runs without eval, which the Content-Security-Policy forbids. */
export const until = (page: Page, expression: string): Promise<void> =>
  waitFor(async () => (await page.evaluate(expression)) === true, 30_000, expression);
