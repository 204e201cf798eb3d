/** A verified contract is read and written in Chromium, with a wallet that the dev chain backs. Skipped without chromium. */
import anyTest from 'ava';
import { id, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { type Browser, chromium } from 'playwright-core';
import { addWallet } from '#test/helpers/browser-wallet.ts';
import { chromiumPath } from '#test/helpers/chromium.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { accessibilityFaults, overflow } from '#test/helpers/look-at-page.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';
import { deployVaults, readVaultInput, vaultPath } from '#test/helpers/vaults.ts';

const test = chromiumPath ? anyTest.serial : anyTest.serial.skip;

let indexed: IndexedChain;
let browser: Browser;
let vault: string;

anyTest.before(async () => {
  if (!chromiumPath) return;
  indexed = await startIndexedChain({ blocks: 30, seed: 6 });
  const input = await readVaultInput();
  const { at } = await deployVaults(indexed.chain.rpc, input);
  vault = at.Vault;
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  const { verifier } = indexed.api.deps;
  const compilerVersion = verifier.compilers.bundled().version;
  const target = { path: vaultPath, name: 'Vault' };
  const source = { compilerVersion, input, target, kind: 'standard-json', license: '' } as const;
  const job = await verifier.submit({ address: vault, ...source }, { caller: 'test' });
  await waitFor(async () => (await verifier.job(job))?.state === 'verified', 60_000, 'the vault is verified');
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
});

anyTest.after.always(async () => {
  await browser?.close();
  await indexed?.stop();
});

test('a contract is written with a wallet of the browser after a simulation, and read again', async (t) => {
  const { rpc } = indexed.chain;
  const provider = new JsonRpcProvider(rpc.url, undefined, { cacheTimeout: -1 });
  const wallet = Wallet.createRandom(provider);
  await rpc.call('anvil_setBalance', [wallet.address, `0x${parseEther('10').toString(16)}`]);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const browserWallet = await addWallet(page, rpc, wallet);
  const { asked } = browserWallet;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const store = id('store(uint256,string)').slice(0, 10);
  const form = page.locator(`[id="${store}"]`);
  const simulate = async (value: string) => {
    await page.goto(`${indexed.api.origin}/address/${vault}?tab=write`);
    await form.locator('[name=arg0]').fill(value);
    await form.locator('[name=arg1]').fill('from the browser');
    await form.getByRole('button', { name: 'Simulate' }).click();
    await page.waitForURL(/call=/);
  };
  await simulate('1001');
  t.regex((await form.textContent()) ?? '', /The call failed: TooMuch\(wanted: 1001, limit: 1000\)/);
  t.is(await page.locator('.send').count(), 0, 'a transaction that fails is not offered');
  await simulate('20');
  t.is(await page.locator('.send').count(), 1);
  await form.locator('[name=arg0]').fill('21');
  t.is(await page.locator('.send').count(), 0, 'the simulated call is not what the form shows');
  await simulate('21');
  await form.getByRole('button', { name: 'Send with Test <b>wallet</b>' }).click();
  await waitFor(
    async () => /Sent:/.test((await form.textContent()) ?? ''),
    30_000,
    () => `sent: ${asked.join()}`,
  );
  t.deepEqual(asked, [
    ...['eth_requestAccounts', 'eth_chainId', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
    ...['eth_chainId', 'eth_accounts', 'eth_estimateGas', 'eth_sendTransaction'],
  ]);
  t.is(browserWallet.chainId, '0x425d4');
  await page.goto(`${indexed.api.origin}/more`);
  await page.getByRole('button', { name: 'Add to Test <b>wallet</b>' }).click();
  await page.getByText('Your wallet uses this network now.').waitFor();
  const stored = id('stored()').slice(0, 10);
  await page.goto(`${indexed.api.origin}/address/${vault}?tab=read`);
  await page.locator(`[id="${stored}"]`).getByRole('button', { name: 'Query' }).click();
  await page.waitForURL(/call=/);
  t.is(await page.locator(`[id="${stored}"] .amount`).textContent(), '42');
  t.deepEqual(faults, []);
  provider.destroy();
});

test('user signs in on the account page, and manages keys, private tags and watches', async (t) => {
  const { rpc, world } = indexed.chain;
  const page = await (await browser.newContext({ viewport: { width: 390, height: 900 } })).newPage();
  const wallet = await addWallet(page, rpc, Wallet.createRandom());
  const { asked } = wallet;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${indexed.api.origin}/account`);
  t.false(await page.getByRole('heading', { name: 'API keys' }).isVisible());
  await page.getByRole('button', { name: 'Sign in with Test <b>wallet</b>' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  t.deepEqual(asked, ['eth_requestAccounts', 'personal_sign']);
  wallet.signer = Wallet.createRandom();
  await page.getByRole('button', { name: 'Link another wallet' }).click();
  await page.getByText(/signature/).waitFor();
  t.true(await page.getByRole('heading', { name: 'API keys' }).isVisible(), 'a refused signature does not sign out');
  const form = (name: string) => page.locator(`[data-form=${name}]`);
  await form('keys').getByLabel('Name').fill('browser key');
  await form('keys').getByRole('button').click();
  await page.getByText(/shown only now: fat_live_/).waitFor();
  const [, account = ''] = world.accounts;
  await form('tags').getByLabel('Address').fill(account);
  await form('tags').getByLabel('Name').fill('<i>My</i> desk');
  await form('tags').getByRole('button').click();
  await page.getByText('The name is saved.').waitFor();
  await form('watches').getByLabel('Addresses').fill(account);
  await form('watches').getByLabel('URL').fill('http://127.0.0.1/hook');
  await form('watches').getByRole('button').click();
  await page.getByText(/must use HTTPS/).waitFor();
  await form('watches').getByLabel('URL').fill('https://example.com/hook');
  await form('watches').getByRole('button').click();
  await page.getByText(/whsec_/).waitFor();
  page.once('dialog', (dialog) => dialog.accept());
  const replayed = page.waitForResponse(/\/replay$/);
  await page.getByRole('button', { name: 'Send all again' }).click();
  t.is((await (await replayed).json()).lastEventId, '0');
  t.deepEqual(await accessibilityFaults(page), []);
  t.is(await overflow(page), 0);
  await page.goto(`${indexed.api.origin}/address/${account}`);
  t.true((await page.locator('.private-tag').allTextContents()).includes('<i>My</i> desk'));
  await page.goto(`${indexed.api.origin}/account`);
  let question = '';
  page.once('dialog', (dialog) => {
    question = dialog.message();
    return dialog.accept();
  });
  await page.locator('[data-section=keys]').getByRole('button', { name: 'Revoke' }).click();
  await page.locator('[data-section=keys]').getByText('revoked').waitFor();
  t.regex(question, /Revoke this key/);
  await page.getByRole('button', { name: 'Sign out' }).click();
  t.false(await page.getByRole('heading', { name: 'API keys' }).isVisible());
  await page.goto(`${indexed.api.origin}/address/${account}`);
  t.is(await page.locator('.private-tag').count(), 0);
  t.deepEqual(faults, []);
});

test('pages of a verified contract have no accessibility error and fit a phone', async (t) => {
  for (const [width, scheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    const page = await (await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })).newPage();
    for (const tab of ['contract', 'read', 'write']) {
      await page.goto(`${indexed.api.origin}/address/${vault}?tab=${tab}`);
      t.is(await overflow(page), 0, tab);
      t.deepEqual(await accessibilityFaults(page), [], `${tab} at ${width}`);
    }
  }
});
