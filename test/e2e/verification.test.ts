/** Verification of source code through the Etherscan-compatible API, with a library, immutables and a proxy. */
import test from 'ava';
import { AbiCoder, id } from 'ethers';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';
import {
  awaitVerification,
  decodesInHead,
  deployVaults,
  vaultPath as path,
  postJson,
  readVaultInput,
  sourcifyJob,
  type VaultInput,
} from '#test/helpers/vaults.ts';
import { CompilerStore } from '#verification/compilers/compiler-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;
let indexed: IndexedChain;
let hashes: Record<'stored' | 'failed' | 'beforeUpgrade' | 'afterUpgrade', string>;
let input: VaultInput;
let at: Awaited<ReturnType<typeof deployVaults>>['at'];
const compiler = new CompilerStore({ dir: undefined, url: undefined, downloadsDir: '', timeoutMs: 1_000 }).bundled();

test.before(async () => {
  input = await readVaultInput();
  indexed = await startIndexedChain({ blocks: 30, seed: 5 });
  ({ at, hashes } = await deployVaults(indexed.chain.rpc, input));
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
});
test.after.always(() => indexed?.stop());

async function ask(parameters: Record<string, string>): Promise<Row> {
  const body = new URLSearchParams({ module: 'contract', ...parameters });
  return (await indexed.api.get('/api', { method: 'POST', body })).body;
}

const verify = (address: string, name: string, given: Record<string, string> = {}) =>
  ask({
    action: 'verifysourcecode',
    contractaddress: address,
    codeformat: 'solidity-standard-json-input',
    contractname: `${path}:${name}`,
    compilerversion: `v${compiler.version}`,
    sourceCode: JSON.stringify(input),
    ...given,
  });

const end = (started: Row): Promise<Row> => awaitVerification(ask, started);

const readSource = async (address: string) => (await ask({ action: 'getsourcecode', address })).result[0];
test.serial('a contract with a library and immutables verifies with its constructor arguments', async (t) => {
  t.like(await readSource(at.Vault), { SourceCode: '', ABI: 'Contract source code not verified' });
  const changed = { ...input, sources: { [path]: { content: `${input.sources[path]!.content}\n// changed` } } };
  const partial = await end(await verify(at.Vault, 'Vault', { sourceCode: JSON.stringify(changed) }));
  t.like(partial, { status: '1', result: 'Pass - Verified' });
  const exact = await end(await verify(at.Vault, 'Vault', { licensetype: '3' }));
  t.like(exact, { status: '1', result: 'Pass - Verified' }, 'an exact match replaces a partial one');
  t.like(await verify(at.Vault, 'Vault'), { status: '0', result: 'Contract source code already verified' });
  const source = await readSource(at.Vault);
  t.like(source, {
    ContractName: 'Vault',
    ContractFileName: path,
    CompilerVersion: `v${compiler.version}`,
    OptimizationUsed: '1',
    Runs: '200',
    EVMVersion: 'paris',
    LicenseType: 'MIT',
    Library: `${path}:Scale:${at.Scale}`,
    ConstructorArguments: AbiCoder.defaultAbiCoder().encode(['uint256'], [1_000]).slice(2),
    SimilarMatch: '',
    Proxy: '0',
  });
  t.is(JSON.parse(source.SourceCode.slice(1, -1)).sources[path].content, input.sources[path]!.content);
  const abi = JSON.parse((await ask({ action: 'getabi', address: at.Vault })).result);
  t.true(abi.some((entry: Row) => entry.name === 'TooMuch' && entry.type === 'error'));
});

test.serial('a contract with other immutables shows the source of the verified one', async (t) => {
  t.like(await readSource(at.OtherVault), { ContractName: 'Vault', SimilarMatch: at.Vault, ConstructorArguments: '' });
  for (const other of [at.Gate, at.MixedVault]) t.is((await readSource(other)).ContractName, '', other);
});

test.serial('wrong sources, compilers and addresses fail with a reason', async (t) => {
  const wrong = await end(await verify(at.Gate, 'Vault'));
  t.like(wrong, { status: '0', result: 'Fail - Unable to verify' });
  t.regex(wrong.message, /length|match/);
  const broken = JSON.stringify({ ...input, sources: { [path]: { content: 'contract Vault {' } } });
  const failed = await end(await verify(at.Gate, 'Vault', { sourceCode: broken }));
  t.like(failed, { status: '0', result: 'Fail - Unable to verify' });
  t.regex(failed.message, /ParserError/);
  const unknown = await end(await verify(at.Gate, 'Gate', { compilerversion: 'v0.4.1+commit.4fc6fc2c' }));
  t.regex(unknown.message, /no Solidity compiler 0\.4\.1/);
  const nobody = `0x${'12'.repeat(20)}`;
  t.is((await verify(nobody, 'Vault')).result, `Unable to locate ContractCode at ${nobody}`);
  t.regex((await verify(at.Gate, 'Gate', { sourceCode: '{' })).result, /not JSON/);
  t.regex((await verify(at.Gate, 'Gate', { contractname: 'other.sol:Gate' })).result, /no file other\.sol/);
  t.regex((await ask({ action: 'checkverifystatus', guid: 'f'.repeat(32) })).result, /Unknown UID/);
});

test.serial('a single file verifies, and proxies name their implementation', async (t) => {
  const single = await end(
    await verify(at.Gate, 'Gate', {
      codeformat: 'solidity-single-file',
      contractname: 'Gate',
      sourceCode: input.sources[path]!.content,
      optimizationUsed: '1',
      runs: '200',
      evmversion: 'paris',
    }),
  );
  t.like(single, { status: '1', result: 'Pass - Verified' });
  t.like(await readSource(at.Gate), { ContractName: 'Gate', Proxy: '1', Implementation: at.Vault });
  t.is((await readSource(at.Gate)).SourceCode, input.sources[path]!.content);
  const started = await ask({ action: 'verifyproxycontract', address: at.Gate, expectedimplementation: at.Vault });
  const status = await ask({ action: 'checkproxyverification', guid: started.result });
  t.regex(status.result, new RegExp(`implementation contract is found at ${at.Vault}`));
  const other = await ask({ action: 'verifyproxycontract', address: at.Gate, expectedimplementation: at.Scale });
  t.like(await ask({ action: 'checkproxyverification', guid: other.result }), { status: '0', message: 'NOTOK' });
  const minimal = await ask({ action: 'verifyproxycontract', address: at.Clone });
  t.is((await ask({ action: 'checkproxyverification', guid: minimal.result })).status, '1');
  const listed = await ask({ action: 'listcontracts', filter: 'verified', page: '1', offset: '10' });
  t.deepEqual(listed.result.map((row: Row) => row.Address).sort(), [at.Gate, at.Vault].sort());
  const unverified: string[] = [];
  for (let page = 1; page < 4; page++) {
    const { result } = await ask({ action: 'listcontracts', filter: 'unverified', page: String(page), offset: '10' });
    unverified.push(...result.map((row: Row) => row.Address));
  }
  t.false(unverified.includes(at.Vault));
  t.true(unverified.includes(at.OtherVault));
});

test.serial('the interface of Sourcify verifies standard JSON and metadata, and returns the source', async (t) => {
  const body = { stdJsonInput: input, compilerVersion: compiler.version, contractIdentifier: `${path}:Vault` };
  const started = await postJson(indexed.api, `/sourcify/v2/verify/271828/${at.OtherVault}`, body);
  t.is(started.status, 202);
  t.like(await sourcifyJob(indexed.api, started.body.verificationId), {
    contract: { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match', chainId: '271828' },
  });
  t.like((await postJson(indexed.api, `/sourcify/v2/verify/271828/${at.OtherVault}`, body)).body, {
    customCode: 'already_verified',
  });
  const all = await indexed.api.get(`/sourcify/v2/contract/271828/${at.OtherVault}?fields=all`);
  t.like(all.body, {
    match: 'exact_match',
    compilation: { fullyQualifiedName: `${path}:Vault` },
    sources: input.sources,
  });
  const args = AbiCoder.defaultAbiCoder().encode(['uint256'], [5]);
  t.is(all.body.creationBytecode.transformationValues.constructorArguments, args);
  const files = { [path]: input.sources[path]!.content };
  const library = { ...all.body.metadata.settings, compilationTarget: { [path]: 'Scale' }, libraries: {} };
  const metadata = { ...all.body.metadata, settings: library };
  const byMetadata = await postJson(indexed.api, `/sourcify/v2/verify/metadata/271828/${at.Scale}`, {
    metadata,
    sources: files,
  });
  t.is(byMetadata.status, 202, JSON.stringify(byMetadata.body));
  t.like(await sourcifyJob(indexed.api, byMetadata.body.verificationId), { contract: { runtimeMatch: 'exact_match' } });
  t.like((await indexed.api.get(`/sourcify/v2/contract/271828/${at.Clone}`)).body, { match: null });
  t.is((await indexed.api.get(`/sourcify/v2/contract/271828/${at.Clone}`)).status, 404);
  t.like((await indexed.api.get(`/sourcify/v2/contract/1/${at.Clone}`)).body, { customCode: 'invalid_parameter' });
  t.is((await indexed.api.get(`/sourcify/v2/verify/${'0'.repeat(32)}`)).status, 404);
  t.is((await indexed.api.get('/sourcify/v2/contracts/271828')).body.results.length, 4);
});

test.serial('REST returns source code, proxy targets and the list of verified contracts', async (t) => {
  const vault = await indexed.api.get(`/api/v1/contracts/${at.Vault}`);
  t.like(vault.body.source, {
    name: 'Vault',
    match: 'exact',
    similarTo: null,
    libraries: { [`${path}:Scale`]: at.Scale },
  });
  t.is(vault.body.source.constructorArguments, AbiCoder.defaultAbiCoder().encode(['uint256'], [1_000]));
  const clone = await indexed.api.get(`/api/v1/contracts/${at.Clone}`);
  t.like(clone.body, {
    source: null,
    proxy: { kind: 'EIP-1167', implementations: [{ address: at.Vault, name: 'Vault' }] },
  });
  t.is((await indexed.api.get(`/api/v1/contracts/0x${'12'.repeat(20)}`)).status, 404);
  const listed: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await indexed.api.get(`/api/v1/contracts?limit=1${cursor && `&cursor=${cursor}`}`);
    listed.push(...body.items.map((row: Row) => row.address));
    if (!body.hasMore) break;
    cursor = body.nextCursor;
  }
  t.deepEqual(listed, [at.Scale, at.OtherVault, at.Gate, at.Vault]);
});

test.serial('transaction pages decode calls and logs by verified source, and say why a call failed', async (t) => {
  const stored = await readPage(indexed.api, `/tx/${hashes.stored}`);
  t.regex(stored.source, /<span class="method" title="0x[0-9a-f]{8}">store<\/span>/);
  t.regex(stored.text, /x uint256 3 text string <b>note<\/b>/);
  const logs = await readPage(indexed.api, `/tx/${hashes.stored}?tab=logs`);
  t.regex(logs.text, /Stored verified Stored\(address,uint256\)/);
  const failed = await readPage(indexed.api, `/tx/${hashes.failed}`);
  t.regex(failed.text, /Why it failed TooMuch\(wanted: 5000, limit: 1000\)/);
  for (const page of [stored, logs, failed]) t.deepEqual(findForeignContent(page), []);
});

test.serial('REST decodes calls and logs by verified source, standards and signatures', async (t) => {
  const { body } = await indexed.api.get(`/api/v1/transactions/${hashes.stored}?decode=true`);
  t.like(body, { failure: null, decoded: { source: 'verified', signature: 'store(uint256,string)' } });
  t.is(body.methodName, 'store');
  t.deepEqual(body.decoded.parameters[0], { name: 'x', type: 'uint256', value: '3' });
  t.like(body.logs[0].decoded, { source: 'verified', name: 'Stored', standard: null });
  t.false('decoded' in (await indexed.api.get(`/api/v1/transactions/${hashes.stored}`)).body);
  const decode = async (hash: string) =>
    (await indexed.api.get(`/api/v1/transactions/${hash}?decode=true`)).body.decoded;
  t.not((await decode(hashes.beforeUpgrade))?.source, 'verified', 'the proxy may have run another implementation');
  t.like(await decode(hashes.afterUpgrade), { source: 'verified', signature: 'store(uint256,string)' });
  const decodes = (age: number, to = at.Gate) => decodesInHead(indexed.api, to, 'store(uint256,string)', age);
  t.true(await decodes(1));
  const delegated = `0x${'7702'.repeat(10)}`;
  await indexed.chain.rpc.call('anvil_setCode', [delegated, `0xef0100${at.Vault.slice(2)}`]);
  t.false(await decodes(1, delegated), 'the account may have delegated to another contract');
  t.false(await decodes(0), 'an upgrade can be in the missing block');
  const { items } = (await indexed.api.get('/api/v1/transactions?method=0xa9059cbb&limit=1')).body;
  t.is(items[0].methodName, 'transfer');
  const transfer = (await indexed.api.get(`/api/v1/transactions/${items[0].txHash}?decode=true`)).body;
  t.like(transfer.decoded, { source: 'signature', signature: 'transfer(address,uint256)' });
  t.like(transfer.logs[0].decoded, { source: 'standard', standard: 'ERC-20', name: 'Transfer' });
  const listed = await indexed.api.get(`/api/v1/accounts/${items[0].from}/transactions?limit=100`);
  t.true(listed.body.transactions.some((row: Row) => row.methodName === 'transfer'));
  const rows = (await indexed.api.get(`/api?module=account&action=tokentx&address=${items[0].from}`)).body.result;
  t.true(rows.some((row: Row) => row.functionName === 'transfer(address to, uint256 value)'));
});

test.serial('the search finds methods by name, also those of verified contracts', async (t) => {
  const find = async (q: string) =>
    (await indexed.api.get(`/api/v1/search?q=${q}`)).body.items.filter((item: Row) => item.type === 'method');
  const [own] = await find('allNotes');
  t.like(own, { match: 'partial', kind: 'function', signature: 'allNotes()', selector: id('allNotes()').slice(0, 10) });
  t.true((await find('Transfer(address,address,uint256)')).some((item: Row) => item.kind === 'event'));
  t.regex((await readPage(indexed.api, '/search?q=allnot')).text, /Method allNotes\(\)/);
  t.like((await indexed.api.get('/api/v1/search?q=vaul')).body.items[0], {
    type: 'address',
    name: 'Vault',
    match: 'partial',
  });
  t.regex((await readPage(indexed.api, `/tx/${hashes.stored}`)).text, /Vault contract/);
});

test.serial('txlist names the function that a verified contract declares, SQL decodes its events', async (t) => {
  const { body } = await indexed.api.get(`/api?module=account&action=txlist&address=${at.Vault}&sort=asc`);
  const names = body.result.map((row: Row) => row.functionName);
  t.deepEqual(names, ['', 'store(uint256 x, string text)', 'store(uint256 x, string text)']);
  const sql = `SELECT event, Stored_value FROM decoded_events_${at.Vault} ORDER BY block_number`;
  t.deepEqual((await postJson(indexed.api, '/api/v1/sql', { sql, at: 'head' })).body.rows[0], ['Stored', '6']);
});

test.serial('contract pages show hostile source code as text, and read through a proxy', async (t) => {
  const view = async (path: string) => {
    const page = await readPage(indexed.api, path);
    t.is(page.status, 200, path);
    t.deepEqual(findForeignContent(page), [], path);
    t.true(page.source.length < 100_000, path);
    return page.source;
  };
  const source = await view(`/address/${at.Vault}?tab=contract`);
  t.regex(source, /exact match/);
  t.true(source.includes('&lt;script&gt;') && source.includes('<mark>U+200B</mark>'), 'hostile comments are text');
  t.regex(source, /limit_[\s\S]*1,000/, 'constructor arguments are decoded');
  t.regex(
    await view(`/address/${at.Gate}?tab=contract`),
    /is a proxy \(EIP-1967\)[\s\S]*Changes[\s\S]*implementation </,
  );
  const { items } = (await indexed.api.get(`/api/v1/contracts/${at.Gate}/upgrades`)).body;
  t.like(items[0], { kind: 'implementation', address: at.Vault, name: 'Vault' });
  t.regex(await view(`/address/${at.Vault}?tab=contract&find=TOOMUCH`), /3 lines with[\s\S]*class="found">/);
  const clone = await view(`/address/${at.Clone}?tab=contract`);
  t.regex(clone, /not verified[\s\S]*Created in blocks up to 0, without those that other contracts created/);
  const read = (address: string, query: string) => view(`/address/${address}?tab=read&${query}`);
  const limit = id('limit()').slice(0, 10);
  t.regex(await read(at.Vault, `call=${limit}`), /<dd><span class="amount">1,000<\/span>/);
  t.regex(await read(at.Gate, `call=${limit}`), /<dd><span class="amount">1,000<\/span>/, 'through the proxy');
  const notes = await read(at.Vault, `call=${id('allNotes()').slice(0, 10)}`);
  t.regex(notes, /text <small>string/);
  t.regex(notes, /&lt;b&gt;note&lt;\/b&gt;/);
  const sum = id('sum((uint256,string)[])').slice(0, 10);
  const given = encodeURIComponent('[[18446744073709551617, "a"], {"value": 2, "text": "b"}]');
  t.regex(await read(at.Vault, `call=${sum}&arg0=${given}`), /18,446,744,073,709,551,619/);
  t.regex(await read(at.Vault, `call=${sum}&arg0=1,`), /must be JSON/);
  t.regex(await read(at.Vault, `call=${id('fail(uint256)').slice(0, 10)}&arg0=7`), /TooMuch\(wanted: 7, limit: 1000\)/);
  t.regex(await read(at.Vault, `call=${limit}&block=x`), /Block must be/);
  const form = new URLSearchParams({
    ...{ address: at.Clone, compilerVersion: compiler.version, format: 'standard-json', contract: `${path}:Vault` },
    source: JSON.stringify(input),
  });
  const sent = await indexed.api.get('/contract/verify', { method: 'POST', body: form });
  t.is(sent.status, 202);
  const result = sent.headers.get('refresh')!.replace('0; url=', '');
  await waitFor(async () => !(await view(result)).includes('being compiled'), 150_000, 'the verification ends');
  t.regex(await view(result), /not verified/);
});
