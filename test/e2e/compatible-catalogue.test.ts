import test from 'ava';
import { catalogue } from '#api/compatible/actions.ts';
import {
  type CompatibleChain,
  decimal,
  lower,
  type Row,
  startCompatibleChain,
} from '#test/helpers/compatible-chain.ts';

let indexed: CompatibleChain;

test.before(async () => {
  indexed = await startCompatibleChain(120, 17);
});

test.after.always(() => indexed?.stop());

const ask = (query: string) => indexed.ask(query);

test.serial('compatible interface answers every catalogued action or rejects it with a reason', async (t) => {
  for (const { module, action, state } of catalogue()) {
    const { status, result, error } = await ask(`module=${module}&action=${action}`);
    const said = String(result ?? error?.message);
    t.notRegex(said, /Missing Or invalid (Module|Action) name/, `${module} ${action}`);
    if (!state.startsWith('refused')) continue;
    t.is(status, '0', action);
    t.is(said, `Error! Not available here: ${state.slice('refused: '.length)}`);
  }
});

test.serial('proxy actions answer as JSON-RPC', async (t) => {
  const address = indexed.chain.world.accounts[1]!;
  const { next: _, ...head } = await ask('module=block&action=eth_block_number');
  t.deepEqual(head, { jsonrpc: '2.0', id: 0, result: `0x${indexed.head.toString(16)}` });
  for (const block of ['latest', '40']) {
    const tag = block === 'latest' ? block : '0x28';
    const { result } = await ask(`module=account&action=eth_get_balance&address=${address}&block=${block}`);
    t.is(result, await indexed.chain.rpc.call('eth_getBalance', [address, tag]), block);
  }
});

test.serial('getLogs requires consistent operators between topics', async (t) => {
  const log = indexed.wire.flatMap(({ receipts }) => receipts.flatMap((r) => r.logs)).find((l: Row) => l.topics[2]);
  const [a, b, c] = log.topics;
  const logs = (rest: string) => ask(`module=logs&action=getLogs&fromBlock=0&toBlock=latest&topic0=${a}${rest}`);
  t.regex((await logs(`&topic1=${b}`)).result, /Missing topic0_1_opr/);
  t.regex((await logs(`&topic1=${b}&topic0_1_opr=xor`)).result, /Invalid topic0_1_opr/);
  const both = `&topic1=${b}&topic2=${c}&topic0_1_opr=and&topic1_2_opr=and`;
  const found = await logs(both);
  t.is(found.status, '1');
  t.deepEqual((await logs(`${both}&topic0_2_opr=and`)).result, found.result);
  t.regex((await logs(`${both}&topic0_2_opr=or`)).result, /topic0_2_opr contradicts/);
  t.is((await logs('&topic0_1_opr=or')).status, '1');
});

test.serial('fromto_opr=and requires both sides', async (t) => {
  const address = indexed.chain.world.accounts[1]!;
  for (const side of ['from', 'to'])
    t.regex(
      (await ask(`module=account&action=txlist&${side}=${address}&fromto_opr=and`)).result,
      /fromto_opr=and needs both from and to/,
    );
});

test.serial('account and contract lists equal the chain', async (t) => {
  const accounts = (await ask('module=account&action=listaccounts&page=1&offset=5')).result;
  const { body } = await indexed.api.get('/api/v1/accounts/top?limit=5');
  const stale = body.snapshotBlock < indexed.head;
  t.deepEqual(
    accounts,
    body.items.map(({ address, balance }: Row) => ({ address, balance, stale })),
  );
  for (const { address, balance, balanceBlock } of body.items) {
    const at = `0x${balanceBlock.toString(16)}`;
    t.is(balance, decimal(await indexed.chain.rpc.call<string>('eth_getBalance', [address, at])));
  }
  const made = indexed.wire.flatMap(({ receipts }) =>
    receipts.filter((r) => r.status === '0x1' && r.contractAddress).map((r) => lower(r.contractAddress)),
  );
  const listed: string[] = [];
  for (let page = 1; ; page++) {
    const { result } = await ask(`module=contract&action=listcontracts&page=${page}&offset=3`);
    listed.push(...result.map((row: Row) => row.Address));
    if (result.length < 3) break;
  }
  t.deepEqual(listed, made);
  const { result: many } = await ask('module=account&action=listaccounts&page=1&offset=100');
  const { body: top } = await indexed.api.get('/api/v1/accounts/top?limit=100');
  t.true(many.length > 10 && many.length === top.items.length);
  t.is((await ask('module=account&action=listaccounts')).result.length, 10);
  t.is((await ask('module=contract&action=listcontracts&page=1&offset=1000')).result.length, made.length);
  t.regex((await ask('module=contract&action=listcontracts&page=1&offset=1001')).result, /at most 1000/);
  t.deepEqual((await ask('module=contract&action=listcontracts&filter=verified')).result, []);
  t.regex((await ask('module=contract&action=listcontracts&filter=some')).result, /filter must be/);
});

test.serial('creation by a contract is rejected, not denied, where blocks are not traced', async (t) => {
  const nobody = `0x${'ab'.repeat(20)}`;
  const { status, result } = await ask(`module=contract&action=getcontractcreation&contractaddresses=${nobody}`);
  t.is(status, '0');
  t.regex(result, /only where blocks are traced/);
  const [made] = (await ask('module=contract&action=listcontracts')).result;
  const both = await ask(`module=contract&action=getcontractcreation&contractaddresses=${made.Address},${nobody}`);
  t.regex(both.result, new RegExp(`created ${nobody}.*only where blocks are traced`), 'no partial answer');
});

test.serial('token list of an account has its tokens of all standards', async (t) => {
  const seen = new Set<string>();
  for (const account of indexed.chain.world.accounts.slice(0, 12)) {
    const walk = async (path: string): Promise<Row[]> => {
      const { body } = await indexed.api.get(`/api/v1/accounts/${account}/${path}`);
      t.false(body.hasMore, path);
      return body.items;
    };
    const [tokens, single, multiple] = await Promise.all([
      walk('tokens?limit=200'),
      walk('nfts?standard=erc721&limit=200'),
      walk('nfts?standard=erc1155&limit=200'),
    ]);
    const owned = [...new Set(single.map(({ contract }) => contract))];
    const expected = [
      ...tokens.map(({ token, balance }) => ({ type: 'ERC-20', contractAddress: token, balance })),
      ...owned.map((token) => ({
        ...{ type: 'ERC-721', contractAddress: token },
        balance: String(single.filter(({ contract }) => contract === token).length),
      })),
      ...multiple.map(({ contract, tokenId, amount }) => ({
        ...{ type: 'ERC-1155', contractAddress: contract, balance: amount, id: tokenId },
      })),
    ];
    const { result } = await ask(`module=account&action=tokenlist&address=${account}`);
    t.deepEqual(
      (result ?? []).map(({ type, contractAddress, balance, id }: Row) => ({
        ...{ type, contractAddress, balance },
        ...(id === undefined ? {} : { id }),
      })),
      expected,
    );
    for (const { type } of expected) seen.add(type);
  }
  t.deepEqual([...seen].sort(), ['ERC-1155', 'ERC-20', 'ERC-721']);
});

test.serial('funding by a contract is rejected, not denied, where blocks are not traced', async (t) => {
  const nobody = `0x${'ab'.repeat(20)}`;
  t.regex((await ask(`module=account&action=fundedby&address=${nobody}`)).result, /only where blocks are traced/);
});

test.serial(
  'a list without an end stops at the newest block, and one that ends above the chain is refused',
  async (t) => {
    const account = indexed.chain.world.accounts[2]!;
    const listTo = (end: number) => `/api?module=account&action=txlist&address=${account}&startblock=0&endblock=${end}`;
    const open = await ask(`module=account&action=txlist&address=${account}`);
    t.true(open.result.length > 0);
    for (const end of [9_999_999, 99_999_999, 9_999_999_999]) {
      const { body, headers } = await indexed.api.get(listTo(end));
      t.deepEqual(body.result, open.result);
      t.is(headers.get('x-index-head'), String(indexed.head));
    }
    for (const end of [indexed.head + 1, 9_999_998])
      t.regex((await indexed.api.get(listTo(end))).body.result, /not indexed/);
    t.is((await indexed.api.get(listTo(20))).headers.get('x-index-head'), '20', 'the end of this list');
    const unused = `address=0x${'ab'.repeat(20)}&startblock=0&endblock=20`;
    for (const action of ['txlist', 'tokentx', 'tokennfttx']) {
      const { body, headers } = await indexed.api.get(`/api?module=account&action=${action}&${unused}`);
      t.is(body.message, 'No transactions found', action);
      t.is(headers.get('x-index-head'), '20', `${action}: the end of an empty list`);
    }
    const logs = await indexed.api.get(
      `/api?module=logs&action=getLogs&address=0x${'ab'.repeat(20)}&fromBlock=0&toBlock=20`,
    );
    t.deepEqual([logs.body.message, logs.headers.get('x-index-head')], ['No records found', '20']);
  },
);

test.serial('transfers of the zero address end with an error after too many rows', async (t) => {
  const { settings } = indexed.api.deps;
  const path = `module=account&action=tokentx&address=0x${'0'.repeat(40)}&page=1&offset=1&sort=desc`;
  t.is((await ask(path)).result.length, 1);
  const { pageScanRows } = settings;
  Object.assign(settings, { pageScanRows: 3 });
  t.teardown(() => Object.assign(settings, { pageScanRows }));
  const { status, result } = await ask(path);
  t.is(status, '0');
  t.regex(result, /smaller block range/);
});

test.serial('pending transactions of an account come from the node’s pool', async (t) => {
  const { rpc, world } = indexed.chain;
  const [from, to] = world.accounts as [string, string];
  t.is((await ask(`module=account&action=pendingtxlist&address=${from}`)).message, 'No transactions found');
  await rpc.call('evm_setAutomine', [false]);
  await rpc.call('evm_setIntervalMining', [0]);
  const hash = await rpc.call<string>('eth_sendTransaction', [{ from, to, value: '0x7', gas: '0x5208' }]);
  const rows = (await ask(`module=account&action=pendingtxlist&address=${from}`)).result;
  t.is(rows.length, 1);
  t.like(rows[0], { hash, from: lower(from), to: lower(to), value: '7', gas: '21000' });
  const incoming = `module=account&action=pendingtxlist&address=${to}`;
  t.deepEqual((await ask(incoming)).result, rows);
  t.deepEqual((await ask(`${incoming}&filterby=to`)).result, rows);
  t.is((await ask(`${incoming}&filterby=from`)).message, 'No transactions found');
  await rpc.call('anvil_dropTransaction', [hash]);
});

test.serial('the reason of a failure is that of its trace', async (t) => {
  const failed = indexed.wire.flatMap(({ receipts }) => receipts).filter((receipt) => receipt.status === '0x0');
  t.true(failed.length > 0);
  for (const { transactionHash } of failed.slice(0, 5)) {
    const { result } = await ask(`module=transaction&action=getstatus&txhash=${transactionHash}`);
    const trace = await indexed.chain.rpc.call<Row>('debug_traceTransaction', [
      transactionHash,
      { tracer: 'callTracer' },
    ]);
    t.is(result.isError, '1');
    const isReverted = /revert/i.test(trace.error);
    t.is(result.errDescription, isReverted ? 'Reverted' : 'Out of gas', trace.error);
    const path = `/api/v1/transactions/${transactionHash}`;
    const { failure } = (await indexed.api.get(`${path}?decode=true`)).body;
    t.like(failure, { source: 'trace', ...(isReverted ? {} : { reason: trace.error }) });
    t.false('failure' in (await indexed.api.get(path)).body);
  }
});

test.serial('token actions return the standard’s name and the supply as text', async (t) => {
  const token = indexed.transfers.find(({ standard }) => standard === 'erc20')!.token;
  const info = (await ask(`module=token&action=tokeninfo&contractaddress=${token}`)).result[0];
  t.is(info.tokenType, 'ERC20');
  const whole = (await ask(`module=stats&action=tokensupply&contractaddress=${token}`)).result;
  const response = await fetch(
    `${indexed.api.origin}/api?module=stats&action=tokensupply&contractaddress=${token}&cmc=true`,
  );
  t.regex(response.headers.get('content-type') ?? '', /^text\/plain/);
  const [units, fraction = ''] = (await response.text()).split('.');
  const decimals = Number(info.divisor);
  t.is(BigInt(`${units}${fraction.padEnd(decimals, '0')}`), BigInt(whole));
});

test.serial('lists that filter the rows of an account wait in their own queue', async (t) => {
  const { queryTurns } = indexed.api.deps;
  let turns = 0;
  const runFiltered = queryTurns.runFiltered.bind(queryTurns);
  queryTurns.runFiltered = (from, read) => {
    turns++;
    return runFiltered(from, read);
  };
  t.teardown(() => Object.assign(queryTurns, { runFiltered }));
  const [one, other] = indexed.chain.world.accounts.slice(1).map(lower) as [string, string];
  const filters = [`from=${one}&to=${other}&fromto_opr=and`, `address=${one}&to=${other}`];
  for (const action of ['txlist', 'tokentx', 'txlistinternal']) {
    turns = 0;
    for (const filter of filters) await ask(`module=account&action=${action}&${filter}`);
    t.is(turns, 2, action);
    await ask(`module=account&action=${action}&address=${one}`);
    t.is(turns, 2, `${action} of one account`);
  }
  await ask(`module=account&action=tokentx&address=${one}&contractaddress=${other}`);
  await ask(`module=account&action=tokentx&address=${one}&from=${one}`);
  t.is(turns, 4, 'a token and a side count');
  const rare = [
    `tokennfttx&address=${one}`,
    `tokennfttx&contractaddress=${other}`,
    `txlist&address=${one}&filterby=from`,
    `txlistinternal&address=${one}&filterby=to`,
    `getminedblocks&address=${one}`,
  ];
  for (const [i, query] of rare.entries()) {
    await ask(`module=account&action=${query}`);
    t.is(turns, 5 + i, query);
  }
});
