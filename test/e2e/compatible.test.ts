import test from 'ava';
import { startApiBehindProxy } from '#test/helpers/api-behind-proxy.ts';
import { modelHolders } from '#test/helpers/chain-model.ts';
import {
  type CompatibleChain,
  decimal,
  everyPage,
  lower,
  type Row,
  startCompatibleChain,
  txlistRows,
} from '#test/helpers/compatible-chain.ts';
import { readPage } from '#test/helpers/page-reader.ts';

let indexed: CompatibleChain;

test.before(async () => {
  indexed = await startCompatibleChain(120, 13);
});

test.after.always(() => indexed?.stop());

const ask = (query: string) => indexed.ask(query);
const pages = (query: string, offset: number) => everyPage(indexed, query, offset);
const allTransactions = () => txlistRows(indexed);

test.serial('balances are live, for one address or several', async (t) => {
  const list = [...indexed.addresses];
  for (let at = 0; at < list.length; at += 20) {
    const part = list.slice(at, at + 20);
    const { result } = await ask(`module=account&action=balancemulti&address=${part.join(',')}&tag=latest`);
    const balances = await Promise.all(
      part.map((address) => indexed.chain.rpc.call<string>('eth_getBalance', [address, 'latest'])),
    );
    t.deepEqual(
      result,
      part.map((account, i) => ({ account, balance: decimal(balances[i]!) })),
    );
  }
  const at = await indexed.chain.rpc.call<string>('eth_getBalance', [list[0], '0x32']);
  t.is((await ask(`module=account&action=balancehistory&address=${list[0]}&blockno=50`)).result, decimal(at));
});

test.serial('block actions return time, reward, counts and countdown', async (t) => {
  const times = indexed.wire.map(({ header }) => Number(header.timestamp));
  for (const number of [0, 1, 77, indexed.head]) {
    const time = times[number]!;
    const by = async (at: number, closest: string) =>
      (await ask(`module=block&action=getblocknobytime&timestamp=${at}&closest=${closest}`)).result;
    t.is(await by(time, 'before'), String(number));
    t.is(await by(time, 'after'), String(number));
    t.is(await by(time - 1, 'after'), String(number));
    if (number > 0) t.is(await by(time - 1, 'before'), String(number - 1));
  }
  const many = await ask(`module=block&action=getblocknobytime&timestamps=${times[5]},${times[9]! + 1},1`);
  t.deepEqual(
    many.result.map((row: Row) => row.blockNumber),
    ['5', '9', null],
  );
  const early = await ask('module=block&action=getblocknobytime&timestamp=1&closest=before');
  t.is(early.result, 'Error! No closest block found');
  const { header, receipts } = indexed.wire[33]!;
  const fees = receipts.reduce(
    (sum, one) => sum + BigInt(one.gasUsed) * (BigInt(one.effectiveGasPrice) - BigInt(header.baseFeePerGas)),
    0n,
  );
  const reward = await ask('module=block&action=getblockreward&blockno=33');
  t.like(reward.result, {
    blockNumber: '33',
    timeStamp: String(times[33]),
    blockMiner: lower(header.miner),
    blockReward: String(fees),
  });
  const counts = (await ask('module=block&action=getblocktxnscount&blockno=33')).result;
  const moved = (standard: string) =>
    indexed.transfers.filter((one) => one.block === 33 && one.standard === standard).length;
  t.like(counts, {
    block: 33,
    txsCount: receipts.length,
    erc20TxsCount: moved('erc20'),
    erc721TxsCount: moved('erc721'),
    erc1155TxsCount: moved('erc1155'),
  });
  t.like((await ask(`module=block&action=getblockcountdown&blockno=${indexed.head + 10}`)).result, {
    CurrentBlock: String(indexed.head),
    RemainingBlock: '10',
  });
  t.is((await ask('module=block&action=getblockcountdown&blockno=3')).result, 'Error! Block number already pass');
  const miner = lower(header.miner);
  const mined = await pages(`module=account&action=getminedblocks&address=${miner}`, 100);
  t.deepEqual(
    mined.map((row) => Number(row.blockNumber)),
    indexed.wire
      .filter((block) => lower(block.header.miner) === miner)
      .map((block) => Number(block.header.number))
      .reverse(),
  );
});

test.serial('transaction, contract and token actions equal the chain', async (t) => {
  const all = allTransactions();
  const [good, bad] = [all.find((row) => row.isError === '0')!, all.find((row) => row.isError === '1')!];
  t.is((await ask(`module=transaction&action=gettxreceiptstatus&txhash=${good.hash}`)).result.status, '1');
  t.is((await ask(`module=transaction&action=gettxreceiptstatus&txhash=${bad.hash}`)).result.status, '0');
  t.is((await ask(`module=transaction&action=gettxreceiptstatus&txhash=0x${'ab'.repeat(32)}`)).result.status, '');
  t.is((await ask(`module=transaction&action=getstatus&txhash=${bad.hash}`)).result.isError, '1');
  t.like((await ask(`module=transaction&action=gettxinfo&txhash=${good.hash}`)).result, {
    hash: good.hash,
    success: true,
    value: good.value,
  });
  const creation = all.find((row) => row.contractAddress !== '' && row.isError === '0')!;
  const created = await ask(`module=contract&action=getcontractcreation&contractaddresses=${creation.contractAddress}`);
  t.like(created.result[0], {
    contractCreator: creation.from,
    txHash: creation.hash,
    creationBytecode: creation.input,
  });
  t.is(
    (await ask(`module=contract&action=getabi&address=${creation.contractAddress}`)).result,
    'Contract source code not verified',
  );
  t.like(await ask(`module=contract&action=getsourcecode&address=${creation.contractAddress}`), {
    status: '1',
    message: 'OK',
  });
  const token = indexed.transfers.find((one) => one.standard === 'erc20')!.token;
  const holders = modelHolders(indexed.transfers, token);
  const listed = await ask(`module=token&action=tokenholderlist&contractaddress=${token}&page=1&offset=1000`);
  const listedHolders = listed.result.map((row: Row) => [row.TokenHolderAddress, BigInt(row.TokenHolderQuantity)]);
  t.deepEqual(listedHolders.sort(), [...holders].sort());
  t.is((await ask(`module=token&action=tokenholdercount&contractaddress=${token}`)).result, String(holders.size));
  const [holder, balance] = [...holders][0]!;
  t.is(
    (await ask(`module=account&action=tokenbalance&contractaddress=${token}&address=${holder}&tag=latest`)).result,
    String(balance),
  );
  const supply = await indexed.chain.rpc.call<string>('eth_call', [{ to: token, data: '0x18160ddd' }, 'latest']);
  t.is((await ask(`module=stats&action=tokensupply&contractaddress=${token}`)).result, decimal(supply));
  t.is((await ask(`module=token&action=tokeninfo&contractaddress=${token}`)).result[0].totalSupply.length > 0, true);
  const held = await ask(`module=account&action=addresstokenbalance&address=${holder}&page=1&offset=100`);
  t.is(held.result.find((row: Row) => row.TokenAddress === token).TokenQuantity, String(balance));
});

test.serial(
  'internal transactions come from the trace of a transaction; by address they are rejected with a reason',
  async (t) => {
    const withdrawals = indexed.wire.flatMap(({ receipts }) =>
      receipts.filter((one) => one.status === '0x1' && one.logs.length === 1),
    );
    let found = 0;
    for (const { transactionHash } of withdrawals.slice(-60)) {
      const trace = await indexed.chain.rpc.call<Row>('debug_traceTransaction', [
        transactionHash,
        { tracer: 'callTracer' },
      ]);
      const moved = (trace.calls ?? []).filter((call: Row) => BigInt(call.value ?? 0) > 0n);
      const { status, result } = await ask(`module=account&action=txlistinternal&txhash=${transactionHash}`);
      if (moved.length === 0) t.is(status, '0');
      else
        t.deepEqual(
          result.map((row: Row) => [row.from, row.to, row.value]),
          moved.map((call: Row) => [call.from, call.to, decimal(call.value)]),
        );
      found += moved.length;
    }
    t.true(found > 0);
    t.regex(
      (await ask(`module=account&action=txlistinternal&address=${indexed.chain.world.accounts[1]}`)).result,
      /not indexed/,
    );
  },
);

test.serial('trace that a node returns for another block or transaction is refused', async (t) => {
  const changes: Record<string, (trace: Row, sent: Row) => void> = {
    block: (_, sent) => (sent.blockHash = `0x${'e'.repeat(64)}`),
    value: (trace) => (trace.value = '0x123456789'),
    from: (trace) => (trace.from = `0x${'ee'.repeat(20)}`),
    outcome: (trace) => (trace.error = 'execution reverted'),
  };
  const { api, proxy } = await startApiBehindProxy(t, indexed);
  const hash = indexed.wire.flatMap(({ receipts }) => receipts).find((one) => one.status === '0x1')!.transactionHash;
  for (const [name, change] of Object.entries(changes)) {
    proxy.setFault(({ calls, replies }) => {
      const at = calls.findIndex(({ method }) => method === 'debug_traceTransaction');
      if (at < 0) return 'untouched';
      change(replies[at].result, replies[at + 1].result);
      return 'changed';
    }, 100);
    const { result } = (await api.get(`/api?module=account&action=txlistinternal&txhash=${hash}`)).body;
    t.regex(String(result), /no node returned a trace/, name);
    t.regex((await readPage(api, `/tx/${hash}?tab=internal`)).text, /(Unknown: no node returned a trace.*){2}/, name);
  }
});

test.serial('daily series and gas equal the chain', async (t) => {
  const days = new Map<string, number>();
  for (const { header, receipts } of indexed.wire) {
    const day = new Date(Number(header.timestamp) * 1000).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + receipts.length);
  }
  const { result } = await ask('module=stats&action=dailytx&startdate=2000-01-01&enddate=2099-01-01&sort=asc');
  t.deepEqual(new Map(result.map((row: Row) => [row.UTCDate, row.transactionCount])), days);
  for (const action of [
    'dailynewaddress',
    'dailytxnfee',
    'dailynetutilization',
    'dailyblkcount',
    'dailyavggaslimit',
    'dailygasused',
    'dailyavggasprice',
    'dailyavgblocksize',
    'dailyavgblocktime',
    'dailyblockrewards',
  ])
    t.is(
      (await ask(`module=stats&action=${action}&startdate=2000-01-01&enddate=2099-01-01`)).result.length,
      days.size,
      action,
    );
  t.is((await ask('module=gastracker&action=gasoracle')).result.LastBlock, String(indexed.head));
});

test.serial('proxy returns the node’s own reply', async (t) => {
  const hash = allTransactions()[5]!.hash;
  const cases: [string, string, unknown[]][] = [
    ['eth_blockNumber', '', []],
    ['eth_getBlockByNumber', 'tag=0x21&boolean=true', ['0x21', true]],
    ['eth_getTransactionByHash', `txhash=${hash}`, [hash]],
    ['eth_getTransactionReceipt', `txhash=${hash}`, [hash]],
    [
      'eth_getTransactionCount',
      `address=${indexed.chain.world.accounts[1]}&tag=latest`,
      [indexed.chain.world.accounts[1], 'latest'],
    ],
    ['eth_gasPrice', '', []],
  ];
  for (const [method, query, params] of cases) {
    const { next: _, ...reply } = await ask(`module=proxy&action=${method}&${query}`);
    t.deepEqual(reply, { jsonrpc: '2.0', id: 1, result: await indexed.chain.rpc.call(method, params) }, method);
  }
  t.is((await ask('module=proxy&action=eth_getTransactionByHash')).error.code, -32602);
  t.is((await ask('module=proxy&action=eth_sendRawTransaction&hex=0x00')).jsonrpc, '2.0');
});

test.serial(
  'compatible interface accepts all origins, forms and cases, and fails with the known messages',
  async (t) => {
    const address = indexed.chain.world.accounts[1]!;
    const expected = (await ask(`module=account&action=balance&address=${address}`)).result;
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    for (const path of ['/api', '/v2/api', '/api/v1', '/api/']) {
      const query = `Module=Account&ACTION=Balance&Address=${address.toUpperCase().replace('0X', '0x')}`;
      t.is((await indexed.api.get(`${path}?${query}`)).body.result, expected, path);
      t.is(
        (await indexed.api.get(`${path}?chainid=271828&apikey=x`, { ...form, body: query })).body.result,
        expected,
        `POST ${path}`,
      );
    }
    t.regex((await ask(`chainid=1&module=account&action=balance&address=${address}`)).result, /unsupported chainid/);
    t.is((await ask('module=nothing&action=x')).result, 'Error! Missing Or invalid Module name');
    for (const module of ['account', 'proxy'])
      t.is((await ask(`module=${module}&action=constructor`)).result, 'Error! Missing Or invalid Action name');
    t.is((await ask('module=account&action=txlist&address=0x12')).result, 'Error! Invalid address format');
    const wide = await ask(`module=account&action=txlist&address=${address}&page=11&offset=1000`);
    t.regex(wide.message, /^Result window is too large/);
    t.is(wide.result, null);
  },
);
