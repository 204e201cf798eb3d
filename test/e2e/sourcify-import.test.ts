import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { importFromSourcify } from '#api/read/contracts/sourcify-import.ts';
import { readDevInput } from '#devchain/compile-contracts.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';

let indexed: IndexedChain;
let server: Server;
const asked: string[] = [];
const stop = new AbortController();

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 20, seed: 4 });
  const { verifier } = indexed.api.deps;
  const { wfat, usdx, payout } = indexed.chain.world;
  const { sources, ...settings } = await readDevInput();
  const stdJsonInput = { ...settings, sources: { 'tokens.sol': sources['tokens.sol'] } };
  const compilerVersion = verifier.compilers.bundled().version;
  const contract = (fullyQualifiedName: string) => ({
    stdJsonInput,
    compilation: { compilerVersion, fullyQualifiedName },
  });
  const replies: Record<string, unknown> = {
    [wfat]: contract('tokens.sol:WrappedFat'),
    [payout]: contract('tokens.sol:Nft721'),
    [usdx]: { stdJsonInput: 'no input' },
  };
  server = createServer((request, response) => {
    const address = /\/v2\/contract\/271828\/(0x[0-9a-f]{40})\?/.exec(request.url ?? '')?.[1] ?? '';
    asked.push(address);
    const reply = replies[address];
    const answer = () =>
      response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(reply ?? {}));
    setTimeout(answer, address === wfat ? 1_000 : 0); // look-ups while a request runs must not repeat it
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  void importFromSourcify(indexed.api.deps, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop.signal);
});

test.after.always(async () => {
  stop.abort();
  server?.close();
  await indexed?.stop();
});

const readSource = async (address: string) => (await indexed.api.get(`/api/v1/contracts/${address}`)).body.source;

test('source code of a looked-up contract is imported only if it compiles to its code', async (t) => {
  const { wfat, usdx, payout, multi } = indexed.chain.world;
  for (const address of [payout, usdx, multi, wfat]) t.is(await readSource(address), null, 'not verified yet');
  await waitFor(async () => (await readSource(wfat)) !== null, 300_000, 'the source is imported');
  t.is((await readSource(wfat)).name, 'WrappedFat');
  await waitFor(async () => asked.length === 4, 150_000, 'all were asked for');
  for (const address of [payout, usdx, multi]) t.is(await readSource(address), null);
  t.is(asked.length, 4, 'each contract is asked for once');
});

test('a pending verification fails soon after its process stopped to confirm it', async (t) => {
  const store = async (id: string, confirmedMs: number) => {
    const w = new RowWriter(1_024);
    w.text(id);
    w.uint8(0);
    w.text('source');
    w.fixed(indexed.chain.world.wfat, 20);
    for (const text of ['pending', '', '']) w.text(text);
    for (const ms of [Date.now() - 600_000, confirmedMs]) w.uint64(ms);
    await indexed.pipeline.deps.database.insertRowBinary('verification_jobs', w.view());
  };
  const [lost, running] = ['a'.repeat(32), 'b'.repeat(32)];
  for (const id of [lost, running]) await store(id, Date.now() - 310_000);
  await store(running, Date.now());
  const check = async (guid: string) =>
    (await indexed.api.get(`/api?module=contract&action=checkverifystatus&guid=${guid}`)).body;
  t.is((await check(running)).result, 'Pending in queue');
  t.is((await check(lost)).result, 'Fail - Unable to verify');
});
