/** The results of unmodified third-party clients must equal those of the node. */
import { createRequire } from 'node:module';
import { EtherscanProvider as EtherscanProvider5 } from '@ethersproject/providers';
import test from 'ava';
import { EtherscanProvider, JsonRpcProvider, parseEther, Wallet, WebSocketProvider } from 'ethers';
import { createPublicClient, createWalletClient, defineChain, http, webSocket } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Web3Eth } from 'web3-eth';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { headReader } from '#test/helpers/service.ts';

const require = createRequire(import.meta.url);
/** First account of the dev chain's public mnemonic. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

let indexed: IndexedChain;
let edge: RunningEdge;
let rpcUrl: string;
let address: `0x${string}`;
let sent: { hash: string; block: number };

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 90, seed: 21 });
  edge = await startEdge({ writerUrl: indexed.chain.rpc.url });
  rpcUrl = `${indexed.api.origin}/api/rpc`;
  address = indexed.chain.world.accounts[1] as `0x${string}`;
  sent = indexed.blocks.flatMap((block) => block.txs).filter((tx) => tx.from === address)[3]!;
});

test.after.always(async () => {
  await edge?.stop();
  await indexed?.stop();
});

const node = <T>(method: string, ...params: unknown[]) => indexed.chain.rpc.call<T>(method, params);
const expectedHistory = () =>
  indexed.blocks
    .flatMap((block) => block.txs)
    .filter((tx) => [tx.from, tx.to, tx.created].includes(address))
    .map((tx) => tx.hash);

/** Mines blocks until the promise settles. */
async function mining<T>(work: Promise<T>, blocks = 60): Promise<T> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  for (let i = 0; i < blocks && !isDone; i++) {
    await indexed.chain.mineLive(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return watched;
}

test.serial('@ethersproject/providers EtherscanProvider reads the compatible interface', async (t) => {
  class Provider extends EtherscanProvider5 {
    override getBaseUrl(): string {
      return indexed.api.origin;
    }
  }
  const provider = new Provider({ chainId: 271_828, name: 'fat' });
  t.is(await provider.getBlockNumber(), indexed.head);
  t.is(
    (await provider.getBalance(address)).toHexString(),
    bigNumberHex(await node<string>('eth_getBalance', address, 'latest')),
  );
  t.deepEqual(
    (await provider.getHistory(address)).map((tx) => tx.hash),
    expectedHistory(),
  );
  const receipt = await provider.getTransactionReceipt(sent.hash);
  t.is(receipt.blockNumber, sent.block);
  const [log] = indexed.blocks.flatMap((block) => block.logs);
  const logs = await provider.getLogs({ address: log!.address, topics: [log!.topics[0]!], fromBlock: 0, toBlock: 40 });
  const own = indexed.blocks
    .flatMap((block) => block.logs)
    .filter((one) => one.address === log!.address && one.topics[0] === log!.topics[0] && one.block <= 40);
  t.deepEqual(
    logs.map((one) => [one.transactionHash, one.logIndex]),
    own.map((one) => [one.txHash, one.logIndex]),
  );
});

function bigNumberHex(quantity: string): string {
  const digits = BigInt(quantity).toString(16);
  return `0x${digits.length % 2 ? '0' : ''}${digits}`;
}

test.serial('ethers 6 EtherscanProvider reads the compatible interface', async (t) => {
  class Provider extends EtherscanProvider {
    override getUrl(module: string, params: Record<string, string>): string {
      return super.getUrl(module, params).replace(/^.*chainid=1(?=&)/, `${indexed.api.origin}/v2/api?chainid=271828`);
    }
    override getPostUrl(): string {
      return `${indexed.api.origin}/v2/api?chainid=271828`;
    }
  }
  const provider = new Provider('mainnet', 'key');
  t.is(await provider.getBlockNumber(), indexed.head);
  t.is(await provider.getBalance(address), BigInt(await node<string>('eth_getBalance', address, 'latest')));
  t.is(
    await provider.getTransactionCount(address),
    Number(await node<string>('eth_getTransactionCount', address, 'latest')),
  );
  t.is((await provider.getTransactionReceipt(sent.hash))?.blockNumber, sent.block);
  t.is((await provider.getBlock(20))?.hash, indexed.blocks[20]!.hash);
  const [log] = indexed.blocks.flatMap((block) => block.logs);
  t.is(await provider.getCode(log!.address), await node<string>('eth_getCode', log!.address, 'latest'));
});

test.serial('ethers 6 JsonRpcProvider signs and sends through the proxy', async (t) => {
  const provider = new JsonRpcProvider(rpcUrl, undefined, { polling: true, pollingInterval: 50 });
  const wallet = new Wallet(key, provider);
  t.is((await provider.getNetwork()).chainId, 271_828n);
  const response = await wallet.sendTransaction({ to: address, value: parseEther('1') });
  const receipt = await mining(response.wait(3));
  t.is(receipt?.status, 1);
  t.is(receipt?.blockHash, (await node<{ blockHash: string }>('eth_getTransactionReceipt', response.hash)).blockHash);
  provider.destroy();
});

test.serial('ethers 6 WebSocketProvider receives heads and logs through the edge', async (t) => {
  const provider = new WebSocketProvider(edge.wsUrl);
  const heads: number[] = [];
  const logs: string[] = [];
  await provider.on('block', (number: number) => heads.push(number));
  await provider.on({ topics: [] }, (log: { transactionHash: string; index: number }) =>
    logs.push(`${log.transactionHash}:${log.index}`),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = Number(await node('eth_blockNumber'));
  await indexed.chain.mineLive(5);
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.deepEqual(
    heads.filter((number) => number > before),
    [1, 2, 3, 4, 5].map((i) => before + i),
  );
  const expected = await node<{ transactionHash: string; logIndex: string }[]>('eth_getLogs', {
    fromBlock: `0x${(before + 1).toString(16)}`,
    toBlock: 'latest',
  });
  t.deepEqual(
    logs,
    expected.map((log) => `${log.transactionHash}:${Number(log.logIndex)}`),
  );
  t.is(await provider.getBalance(address), BigInt(await node<string>('eth_getBalance', address, 'latest')));
  await provider.destroy();
});

test.serial('viem waits for a receipt with 20 confirmations and watches by WebSocket', async (t) => {
  const chain = defineChain({
    id: 271_828,
    name: 'FAT',
    nativeCurrency: { name: 'FAT', symbol: 'FAT', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = createPublicClient({ chain, transport: http(rpcUrl, { batch: true }), pollingInterval: 50 });
  const wallet = createWalletClient({ chain, transport: http(rpcUrl), account: privateKeyToAccount(key) });
  const hash = await wallet.sendTransaction({ to: address, value: 5n });
  const receipt = await mining(client.waitForTransactionReceipt({ hash, confirmations: 20 }));
  t.is(receipt.status, 'success');
  t.true((await client.getBlockNumber({ cacheTime: 0 })) >= receipt.blockNumber + 19n);
  const live = createPublicClient({ chain, transport: webSocket(edge.wsUrl) });
  const seen: bigint[] = [];
  const unwatch = live.watchBlockNumber({ onBlockNumber: (number) => seen.push(number) });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await indexed.chain.mineLive(3);
  await new Promise((resolve) => setTimeout(resolve, 400));
  unwatch();
  t.is(seen.at(-1), BigInt(await node<string>('eth_blockNumber')));
  t.is(await live.getBalance({ address }), BigInt(await node<string>('eth_getBalance', address, 'latest')));
  (await live.transport.getRpcClient()).close();
});

test.serial('etherscan-api reads the compatible interface', async (t) => {
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  const axios = require('axios');
  const api = require('etherscan-api').init('key', 'homestead', 5_000, axios.create({ baseURL: indexed.api.origin }));
  t.is(
    (await api.account.balance(address)).result,
    BigInt(await node<string>('eth_getBalance', address, 'latest')).toString(),
  );
  const list = await api.account.txlist(address, 1, indexed.head, 1, 100, 'asc');
  t.deepEqual(
    list.result.map((row: { hash: string }) => row.hash),
    expectedHistory().slice(0, 100),
  );
  t.is((await api.transaction.getstatus(sent.hash)).result.isError, '0');
  t.is((await api.proxy.eth_blockNumber()).result, await node('eth_blockNumber'));
  const moved = indexed.transfers.filter(
    (one) => one.standard === 'erc20' && (one.from === address || one.to === address),
  );
  const tokens = await api.account.tokentx(address, moved[0]!.token, 1, indexed.head, 1, 100, 'asc');
  t.deepEqual(
    tokens.result.map((row: { hash: string }) => row.hash),
    moved
      .filter((one) => one.token === moved[0]!.token && one.block <= indexed.head && one.block >= 1)
      .map((one) => one.txHash)
      .slice(0, 100),
  );
  await t.throwsAsync(
    async () => {
      throw new Error(
        await api.account.txlist(`0x${'9'.repeat(40)}`, 1, 'latest', 1, 100, 'asc').catch((reason: string) => reason),
      );
    },
    { message: 'No transactions found' },
  );
});

test.serial('web3-eth works through the edge', async (t) => {
  const eth = new Web3Eth(edge.origin);
  t.is(await eth.getChainId(), 271_828n);
  t.is(await eth.getBlockNumber(), BigInt(await node<string>('eth_blockNumber')));
  t.is(await eth.getBalance(address), BigInt(await node<string>('eth_getBalance', address, 'latest')));
  const receipt = await eth.getTransactionReceipt(sent.hash);
  t.is(receipt.blockNumber, BigInt(sent.block));
  const block = await eth.getBlock(12);
  t.is(block.hash, indexed.blocks[12]!.hash);
});
