/** Tabs of a verified contract: its source code, and forms that call its functions. */
import test from 'ava';
import { FunctionFragment } from 'ethers';
import { readTab, writeTab } from '#api/pages/contract/function-tabs.ts';
import { codeView, findLines } from '#api/pages/contract/highlight.ts';
import { sourceTab } from '#api/pages/contract/source-tab.ts';
import { getContract } from '#api/routes/contracts/contract.ts';
import { listSimilarContracts } from '#api/routes/contracts/list-similar-contracts.ts';

const address = `0x${'90'.repeat(20)}`;
const deps = {
  visitor: { charge: async () => true, caller: '' },
  settings: { chainId: 1 },
  verified: { interfaces: async () => new Map() },
  client: { call: async () => '0x' },
} as never;

const source = {
  ...{ name: 'C', path: 'C.sol', language: 'Solidity', compilerVersion: '0.8.30', license: null, match: 'exact' },
  ...{ verifiedAt: '2026-01-01T00:00:00Z', similarTo: null, settings: {}, libraries: {}, constructorArguments: null },
};

function verify(signatures: readonly string[], text = '') {
  const abi = signatures.map((each) => JSON.parse(FunctionFragment.from(each).format('json')));
  const contract = { address, code: '0x00', codeSize: 1, proxy: null };
  // a stub of a route: tests of routes check their replies
  const handle = async () => ({ ...contract, source: { ...source, abi, sources: { 'C.sol': text } } });
  Object.assign(getContract, { handle });
}

const ask = (query: Record<string, string>) => ({
  ...{ params: {}, query: new URLSearchParams(query), url: `/address/${address}?tab=read`, now: 0, coin: 'FAT' },
});
const call = (signature: string, ...values: readonly string[]) => ({
  call: FunctionFragment.from(signature).selector,
  ...Object.fromEntries(values.map((value, i) => [`arg${i}`, value])),
});

test.serial('a lone carriage return ends a comment and a line, as for the compiler', async (t) => {
  const { text } = codeView('// a\rselfdestruct(x);');
  t.is(text.split('<li').length - 1, 2);
  t.regex(text, /<li id="L1"><i class="c">\/\/ a<\/i>\n<\/li><li id="L2">selfdestruct/);
  t.deepEqual(findLines('a\rb\r\nb\nb', 'b'), [2, 3, 4]);
  t.is(codeView('a\r\nb\n').text.split('<li').length - 1, 3);
  verify(['function a() view'], 'one\rtwo\r\nthree');
  const handle = async () => ({
    items: [],
    hasMore: false,
    nextCursor: null,
    coverage: { through: 1, internal: true },
  });
  Object.assign(listSimilarContracts, { handle });
  const shown = (await sourceTab(deps, ask({ find: 'three' }), address)).text;
  t.regex(shown, /C\.sol, 3 lines; 1 line with “three” <a href="#L3">/);
  t.regex(shown, /<summary>1 entry<\/summary>/);
});

test.serial('a successful call of a function without outputs says so', async (t) => {
  verify(['function check() view']);
  const said = /The call succeeded; the function returns no value\./;
  t.regex((await readTab(deps, ask(call('function check()')), address)).text, said);
  t.notRegex((await readTab(deps, ask({}), address)).text, said);
  verify(['function check()']);
  const simulated = (await writeTab(deps, ask(call('function check()')), address)).text;
  t.regex(simulated, /The simulated transaction succeeds now/);
  t.notRegex(simulated, said, 'said once');
});

test.serial('arguments of a form fit into a URL, and cut ones are refused', async (t) => {
  const signature = 'function f(address a, bytes b, uint256[] c, string d) view';
  verify([signature]);
  const { text } = await readTab(deps, ask({}), address);
  const limits = [...text.matchAll(/name="(\w+)" value="" maxlength="(\d+)"/g)].map(([, , limit]) => Number(limit) - 1);
  t.deepEqual(limits, [100, 3_000, 1_000, 333, 100], 'four arguments and the block');
  const worst = ['0', '0', '[', '東'].map((each, i) => each.repeat(limits[i]!));
  t.true(new URLSearchParams(call(signature, ...worst)).toString().length < 9_300);
  t.regex(text, /The length of an argument is limited/);
  const cut = await readTab(deps, ask(call(signature, address, `0x${'0'.repeat(2_999)}`, '[]', '')), address);
  t.regex(cut.text, /role="alert">b must have at most 3000 characters/);
  const whole = await readTab(deps, ask(call(signature, address, `0x${'0'.repeat(2_998)}`, '[]', '')), address);
  t.regex(whole.text, /returns no value/);
});
