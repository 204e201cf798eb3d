/** The browser tests are skipped if chromium is missing. */
import anyTest, { type ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '#test/helpers/chromium.ts';
import { bearer, post, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { accessibilityFaults, type ContextOptions, openPage, overflow, until } from '#test/helpers/look-at-page.ts';
import { listPagePaths, type Subjects } from '#test/helpers/page-walk.ts';
import { headReader } from '#test/helpers/service.ts';

const test = chromiumPath ? anyTest.serial : anyTest.serial.skip;
if (!chromiumPath) console.log('no chromium is installed (apt-get install chromium): the browser tests are skipped');

let indexed: IndexedChain;
let browser: Browser;
let subjects: Subjects;

anyTest.before(async () => {
  if (!chromiumPath) return;
  indexed = await startIndexedChain({ blocks: 130, seed: 23 });
  await waitForTokens(indexed);
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  const { blocks, transfers } = indexed;
  const tx = transfers.find(({ standard }) => standard === 'erc20')!;
  const sender = blocks.flatMap(({ txs }) => txs).find(({ hash }) => hash === tx.txHash)!.from;
  const nft = transfers.find(({ standard }) => standard === 'erc721')!.token;
  subjects = { account: sender, hash: tx.txHash, token: tx.token, nft, block: String(tx.block) };
});

anyTest.after.always(async () => {
  await browser?.close();
  await indexed?.stop();
});

const open = (width: number, options: ContextOptions = {}) =>
  openPage(browser, indexed.api.origin, { viewport: { width, height: 900 }, ...options });

const isPart = (path: string) => path.includes('tab=') || path.startsWith('/charts/');

/** Accessibility checks are slow, so only the pages in `isLookedAt` get them. */
async function walk(
  t: ExecutionContext,
  width: number,
  colorScheme: 'light' | 'dark',
  isLookedAt: (path: string) => boolean,
): Promise<void> {
  const { page, faults, go } = await open(width, { colorScheme, bypassCSP: false });
  for (const path of [...listPagePaths(subjects), '/docs', `/tx/0x${'ab'.repeat(32)}`]) {
    await go(path);
    t.is(await overflow(page), 0, `${path} at ${width} px is no wider than its window`);
    if (isLookedAt(path)) t.deepEqual(await accessibilityFaults(page), [], `${path} at ${width} px`);
  }
  // the walk opens a missing page, and the browser reports its 404
  t.deepEqual(
    faults.filter((fault) => !fault.includes('404 (Not Found)')),
    [],
  );
  await page.context().close();
}

test('every page on a phone has no overflow, no browser error and no accessibility violation', (t) =>
  walk(t, 360, 'light', (path) => !isPart(path)));
test('every page works on a wide screen in dark mode', (t) =>
  walk(t, 1440, 'dark', (path) => isPart(path) || path === '/'));

test('reader searches, follows a history to its end, and copies', async (t) => {
  const { page, faults, go } = await open(1280);
  await go('/');
  await page.keyboard.press('/');
  await page.keyboard.type(subjects.account);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/address\//);
  const expected = (await indexed.api.get(`/api/v1/accounts/${subjects.account}/transactions?limit=200`)).body
    .transactions;
  const hashes: string[] = [];
  for (;;) {
    const links = await page
      .locator('td[data-title="Transaction"] a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
    hashes.push(...links.map((path) => path.slice(4)));
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
    await page.waitForLoadState('load');
  }
  t.deepEqual(
    hashes,
    expected.map((row: { txHash: string }) => row.txHash),
  );
  t.is(await page.locator('.copy button').first().getAttribute('aria-label'), 'Copy address');
  await page.locator('.copy button').first().click();
  await until(page, 'document.querySelector(".copy button").textContent !== "copy"');
  t.deepEqual(faults, []);
  await page.context().close();
});

test('search field suggests while typing, by keyboard and without accessibility errors', async (t) => {
  const { page, faults, go } = await open(1280);
  await go('/status');
  await page.fill('.search input', 'points');
  await until(page, "document.querySelectorAll('#suggestions li').length > 0");
  t.is(await page.getAttribute('.search input', 'aria-expanded'), 'true');
  t.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('ArrowDown');
  const chosen = await page.getAttribute('#suggestions [aria-selected="true"]', 'data-href');
  t.regex(chosen!, /^\/(token|entity|address|nft)\//);
  await page.keyboard.press('Enter');
  await page.waitForURL(indexed.api.origin + chosen);
  await page.fill('.search input', 'points');
  await until(page, "document.querySelectorAll('#suggestions li').length > 0");
  await page.keyboard.press('Escape');
  t.true(await page.isHidden('#suggestions'));
  t.deepEqual(faults, []);
});

test('times switch between UTC and the zone of the reader, and stay so', async (t) => {
  const { page, faults, go } = await open(1280, { timezoneId: 'Asia/Tokyo' });
  await go('/blocks');
  const shown = async () => (await page.locator('time small').first().textContent())!;
  const utc = await shown();
  t.regex(utc, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await page.getByRole('button', { name: 'UTC' }).click();
  const local = await shown();
  t.regex(local, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+9$/);
  await go('/blocks');
  await until(page, "document.querySelector('time small').textContent.endsWith('GMT+9')");
  await page.getByRole('button', { name: 'Local' }).click();
  t.regex(await shown(), / UTC$/);
  t.deepEqual(faults, []);
});

test('chart responds to keys and pointer, and zooms by dragging', async (t) => {
  const { page, faults, go } = await open(1280);
  await go('/charts/newTxns');
  const readout = page.locator('.readout');
  const rows = () => page.locator('figure tbody tr').count();
  const all = await rows();
  t.true(all > 20);
  await page.locator('.plot').focus();
  const last = await readout.textContent();
  t.regex(last ?? '', /^[\d.,]+( \w+)? so far \d/);
  await page.keyboard.press('ArrowLeft');
  t.not(await readout.textContent(), last);
  const box = (await page.locator('.plot svg').boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=\d+&to=\d+/);
  await until(page, `document.querySelectorAll('figure tbody tr').length < ${all / 2}`);
  const zoomed = await rows();
  t.true(zoomed >= all * 0.2 && zoomed <= all * 0.3, `${zoomed} of ${all}`);
  t.is(await page.locator('[data-pin*="from%3D"] button').count(), 1, 'the shown range can be pinned');
  await page.locator('.plot').focus();
  await page.keyboard.press('-');
  await until(page, `document.querySelectorAll('figure tbody tr').length >= ${all}`);
  t.deepEqual(faults, []);
  await page.context().close();
});

test('colour scheme stays switched', async (t) => {
  const { page, go } = await open(1280, { colorScheme: 'light' });
  await go('/blocks');
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  t.not(await ground(), light);
  const dark = await ground();
  await go('/txs');
  t.is(await ground(), dark);
  await page.getByRole('button', { name: 'Switch to light colours' }).click();
  t.is(await ground(), light);
  await page.context().close();
});

test('live page follows the head and confirmations, and stays unchanged when stopped', async (t) => {
  const { page, faults, go } = await open(1280);
  await go('/');
  await page.waitForSelector('.head.is-live');
  const head = () => page.locator('[data-head]').getAttribute('data-head').then(Number);
  const before = await head();
  await indexed.chain.mineLive(2);
  await until(page, `Number(document.querySelector('[data-head]').dataset.head) === ${before + 2}`);
  await until(page, `document.querySelector('#blocks li a').getAttribute('href') === '/block/${before + 2}'`);
  await page.getByRole('button', { name: 'Stop live updates' }).click();
  await indexed.chain.mineLive(1);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  await page.waitForTimeout(600);
  t.is(await head(), before + 2);
  const { body } = await indexed.api.get('/api/v1/transactions/latest?limit=1');
  await go(`/tx/${body.items[0].txHash}`);
  await page.waitForSelector('.head.is-live');
  const depth = () => page.locator('.verdict').textContent();
  const shallow = await depth();
  await indexed.chain.mineLive(1);
  await until(page, `document.querySelector('.verdict').textContent !== ${JSON.stringify(shallow)}`);
  t.deepEqual(faults, []);
  await page.context().close();
});

test('a reader pins charts to a board, which the browser keeps', async (t) => {
  const { page, faults, go } = await open(1280);
  for (const path of ['/charts/newTxns?resolution=day', '/charts/query?of=logs&measure=count&resolution=day']) {
    await go(path);
    await page.click('text=Pin to board');
    await until(page, 'document.body.textContent.includes("Pinned: open your board")');
  }
  await go('/board');
  await until(page, 'document.querySelectorAll(".board figure").length === 2');
  t.is(await accessibilityFaults(page).then(String), '');
  t.is(await overflow(page), 0);
  await page.click('text=Remove from board');
  await until(page, 'document.querySelectorAll(".board figure").length === 1');
  await go('/board');
  await until(page, 'document.querySelectorAll(".board figure").length === 1');
  t.deepEqual(faults, []);
});

test('SQL page runs a query, explains it, and says what is wrong', async (t) => {
  const { page, faults, go } = await open(390);
  await go(
    `/sql?${new URLSearchParams({ query: 'SELECT block_number, hash FROM blocks ORDER BY block_number LIMIT 3' })}`,
  );
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await press('Run');
  await page.locator('[data-sql-result] td').first().waitFor();
  const cells = await page.locator('[data-sql-result] td').allTextContents();
  t.deepEqual(
    cells,
    indexed.blocks.slice(0, 3).flatMap(({ number, hash }) => [String(number), hash]),
  );
  t.is(await overflow(page), 0);
  t.deepEqual(await accessibilityFaults(page), []);
  await press('Explain');
  await page.locator('[data-sql-result] pre').waitFor();
  t.deepEqual(faults, []);
  await page.locator('[name=query]').fill('SELECT block_number FROM blocks WHERE block_number = {block:UInt64}');
  await page.getByLabel('block (UInt64)').fill('7');
  await press('Run');
  await until(page, "document.querySelector('[data-sql-result] td')?.textContent === '7'");
  await press('Link to this query');
  await until(page, "document.querySelector('[data-sql-values] textarea')?.value === '7'");
  await page.locator('[name=query]').fill('SELECT nope FROM blocks');
  await press('Run');
  await until(page, "document.querySelector('[data-sql-state]').textContent.includes('nope')");
  await page.context().close();
});

const saveQuery = async (token: string, sql: string, parameters = {}) =>
  (await post(indexed.api, '/api/v1/sql/saved', { title: 'Test', sql, parameters }, bearer(token))).body;

test('a saved query runs regularly as its owner sets it on the page', async (t) => {
  const token = await signIn(indexed.api);
  const { id, path } = await saveQuery(token, 'SELECT max(block_number) AS newest FROM blocks');
  const { page, faults, go } = await open(390);
  await go('/sql');
  await page.evaluate(`sessionStorage.setItem('token', ${JSON.stringify(token)})`);
  await go(path);
  await page.getByLabel('Run every').fill('60');
  await page.getByRole('button', { name: 'Run regularly' }).click();
  const says = (text: string) =>
    until(page, `document.querySelector('[data-sql-schedule-state]').textContent.startsWith('${text}')`);
  await says('Runs every 60 minutes, next ');
  t.is(await overflow(page), 0);
  t.deepEqual(await accessibilityFaults(page), []);
  await go(path);
  await says('Runs every 60 minutes, next ');
  t.is(await page.getByLabel('Run every').inputValue(), '60');
  await page.getByRole('button', { name: 'Stop regular runs' }).click();
  await says('The regular runs are stopped.');
  await go(path);
  await page.getByLabel('Run every').fill('30');
  await page.getByRole('button', { name: 'Show the schedule' }).click();
  await says(`saved query ${id} has no schedule`);
  t.deepEqual(
    faults.filter((text) => !text.includes('404')),
    [],
  );
  await page.context().close();
});

test('pages show all content without scripts', async (t) => {
  const { page, go } = await open(360, { javaScriptEnabled: false });
  await go('/');
  t.true((await page.locator('#blocks li').count()) > 4);
  await go('/charts/newTxns');
  t.true((await page.locator('figure svg path.bars').getAttribute('d'))!.length > 100);
  await page.locator('summary').first().click();
  t.true(await page.locator('figure tbody tr').first().isVisible());
  await go(`/address/${subjects.account}`);
  await page.locator('select[name=role]').selectOption('to');
  await page.locator('.filter button').click();
  t.regex(page.url(), /role=to/);
  await go((await saveQuery(await signIn(indexed.api), 'SELECT {block:UInt64}', { block: 7 })).path);
  t.false(await page.getByRole('button', { name: 'Run regularly' }).isVisible());
  await page.getByRole('button', { name: 'Link to this query' }).click();
  t.is(new URL(page.url()).searchParams.get('value_block'), '7');
  await page.context().close();
});
