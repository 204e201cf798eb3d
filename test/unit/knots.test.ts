import test from 'ava';
import { AbiCoder, id, toBeHex, zeroPadValue } from 'ethers';
import { nativeAsset, tokenAsset } from '#pipeline/knots/asset.ts';
import { deriveKnots } from '#pipeline/knots/derive-knots.ts';
import type { KnotFacts, KnotLog, KnotTransaction } from '#pipeline/knots/knot.ts';
import { knownEvents } from '#pipeline/knots/known-events.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const [sender, receiver, pool, usdc, wfat, nft] = ['1', '2', '3', 'a', 'b', 'c'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const zero = address('0');
const transferTopic = id('Transfer(address,address,uint256)');

const facts: KnotFacts = {
  native: nativeAsset('FAT', 'FAT'),
  getToken: (token) =>
    tokenAsset(
      {
        [usdc]: { address: usdc, standard: 'erc20' as const, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
        [wfat]: { address: wfat, standard: 'erc20' as const, name: 'Wrapped FAT', symbol: 'WFAT', decimals: 18 },
        [nft]: { address: nft, standard: 'erc721' as const, name: 'Art', symbol: 'ART', decimals: null },
      }[token] ?? { address: token, standard: 'unknown', name: null, symbol: null, decimals: null },
      'FAT',
    ),
  getFailReason: () => 'execution reverted: no',
};

const transaction = (more: Partial<KnotTransaction>): KnotTransaction => ({
  block_number: '7',
  tx_index: 0,
  hash: `0x${'9'.repeat(64)}`,
  timestamp: 1_700_000_000,
  from: sender,
  to: receiver,
  contract_address: null,
  value: '0',
  gas_limit: '90000',
  gas_used: '21000',
  fee: '42',
  status: 1,
  method_id: '0x',
  ...more,
});

let nextLog = 0;
const toTopic = (value: string) => zeroPadValue(value, 32);
const log = (emitter: string, topics: string[], data = '0x'): KnotLog => ({
  block_number: '7',
  tx_index: 0,
  log_index: nextLog++,
  address: emitter,
  topic_count: topics.length,
  data,
  topic0: topics[0]!,
  topic1: topics[1] ?? toTopic('0x'),
  topic2: topics[2] ?? toTopic('0x'),
  topic3: topics[3] ?? toTopic('0x'),
});
const uint = (value: bigint) => AbiCoder.defaultAbiCoder().encode(['uint256'], [value]);
const moves = (token: string, from: string, to: string, value: bigint) =>
  log(token, [transferTopic, toTopic(from), toTopic(to)], uint(value));

const told = (tx: KnotTransaction, logs: KnotLog[] = []) =>
  deriveKnots(tx, logs, facts).map(
    ({ wallet, kind, direction, moved, second, method, fee }) =>
      `${wallet.slice(2, 3)} ${kind} ${direction} ${moved.amount} ${moved.asset.symbol}${second ? ` for ${second.amount} ${second.asset.symbol}` : ''} ${method} ${fee}`,
  );
const selector = (signature: string) => id(signature).slice(0, 10);

test('coin transfers are sent, received, to oneself or failed', (t) => {
  t.deepEqual(told(transaction({ value: '5' })), ['1 native_transfer out 5 FAT  42', '2 native_transfer in 5 FAT  0']);
  t.deepEqual(told(transaction({ to: sender, value: '5' })), ['1 native_transfer self 5 FAT  42']);
  t.deepEqual(told(transaction({ value: '5', status: 0 })), ['1 native_transfer out 5 FAT  42'], 'nobody received it');
  t.is(deriveKnots(transaction({ status: 0 }), [], facts)[0]!.failReason, 'execution reverted: no');
});

test('token transfers have both sides, mints, burns and NFTs', (t) => {
  const call = transaction({ to: usdc, method_id: selector('transfer(address,uint256)') });
  t.deepEqual(told(call, [moves(usdc, sender, receiver, 9n)]), [
    '1 token_transfer out 9 USDC transfer 42',
    '2 token_transfer in 9 USDC transfer 0',
  ]);
  t.deepEqual(told(call, [moves(usdc, zero, sender, 9n)]), ['1 token_mint in 9 USDC transfer 42']);
  t.deepEqual(told(call, [moves(usdc, sender, zero, 9n)]), ['1 token_burn out 9 USDC transfer 42']);
  const one = log(nft, [transferTopic, toTopic(sender), toTopic(receiver), toTopic(toBeHex(77))]);
  const [out] = deriveKnots(transaction({ to: nft, method_id: '0x12345678' }), [one], facts);
  t.deepEqual(
    [out!.kind, out!.tokenId, out!.method, out!.moved.asset.tokenClass],
    ['nft_transfer', 77n, '0x12345678', 'nft collection'],
  );
});

test('swap is one event of its sender and transfers of the pool', (t) => {
  const swap = log(pool, [knownEvents.swapV2, toTopic(sender), toTopic(sender)]);
  const call = transaction({ to: pool, method_id: selector('swapExactIn(bool,uint256,address)') });
  t.deepEqual(told(call, [moves(usdc, sender, pool, 100n), moves(wfat, pool, sender, 7n), swap]), [
    '1 swap self 100 USDC for 7 WFAT swapExactIn 42',
    '3 token_transfer in 100 USDC swapExactIn 0',
    '3 token_transfer out 7 WFAT swapExactIn 0',
  ]);
  const router = address('4');
  const unwrap = log(wfat, [knownEvents.unwrapped, toTopic(router)], uint(8n));
  const sell = transaction({
    to: router,
    method_id: selector('swapExactTokensForETH(uint256,uint256,address[],address,uint256)'),
  });
  t.is(
    told(sell, [moves(usdc, sender, pool, 100n), swap, unwrap])[0],
    '1 swap self 100 USDC for 8 FAT swapExactTokensForETH 42',
  );
});

test('wraps, approvals, deployments and other calls are classified', (t) => {
  const deposit = transaction({ to: wfat, value: '6', method_id: selector('deposit()') });
  t.is(
    told(deposit, [log(wfat, [knownEvents.wrapped, toTopic(sender)], uint(6n))])[0],
    '1 wrap self 6 FAT for 6 WFAT deposit 42',
  );
  const withdraw = transaction({ to: wfat, method_id: selector('withdraw(uint256)') });
  t.is(
    told(withdraw, [log(wfat, [knownEvents.unwrapped, toTopic(sender)], uint(6n))])[0],
    '1 unwrap self 6 WFAT for 6 FAT withdraw 42',
  );
  const approve = transaction({ to: usdc, method_id: selector('approve(address,uint256)') });
  const [allowance] = deriveKnots(
    approve,
    [log(usdc, [knownEvents.approval, toTopic(sender), toTopic(pool)], uint(3n))],
    facts,
  );
  t.deepEqual(
    [allowance!.kind, allowance!.counterparty, allowance!.moved.amount, allowance!.fee],
    ['approval', pool, 3n, 42n],
  );
  const created = transaction({ to: null, contract_address: pool, method_id: '0x60806040' });
  t.deepEqual(told(created), ['1 contract_creation out 0 FAT  42']);
  t.deepEqual(told(transaction({ value: '4', method_id: '0xdeadbeef' })), [
    '1 contract_call out 4 FAT 0xdeadbeef 42',
    '2 native_transfer in 4 FAT 0xdeadbeef 0',
  ]);
  const stake = transaction({ value: '4', method_id: selector('stake()') });
  t.is(told(stake)[0], '1 stake out 4 FAT stake 42');
});

test('coins that a sender pays are never received', (t) => {
  const claim = { to: pool, method_id: selector('claimRewards()') };
  t.deepEqual(told(transaction({ ...claim, value: '5' })), [
    '1 contract_call out 5 FAT claimRewards 42',
    '3 native_transfer in 5 FAT claimRewards 0',
  ]);
  t.is(
    told(transaction({ ...claim, value: '5' }), [moves(usdc, pool, sender, 9n)])[0],
    '1 reward_claim in 9 USDC claimRewards 42',
  );
});

test('if the wrapped coin is known, no other contract pays out the coin by its event', (t) => {
  const unwrap = (emitter: string) => [log(emitter, [knownEvents.unwrapped, toTopic(sender)], uint(6n))];
  const withdraw = (to: string) => transaction({ to, method_id: selector('withdraw(uint256)') });
  const swap = log(pool, [knownEvents.swapV2, toTopic(sender), toTopic(sender)]);
  const sell = transaction({ to: pool, method_id: selector('swapExactIn(bool,uint256,address)') });
  const kinds = (tx: KnotTransaction, logs: KnotLog[]) =>
    deriveKnots(tx, logs, { ...facts, wrapped: wfat }).map(({ kind, second }) => `${kind} ${second?.asset.symbol}`);
  t.is(kinds(withdraw(wfat), unwrap(wfat))[0], 'unwrap FAT');
  t.false(kinds(withdraw(pool), unwrap(pool)).join().includes('FAT'));
  const deposit = transaction({ to: pool, value: '6', method_id: selector('deposit()') });
  t.not(kinds(deposit, [log(pool, [knownEvents.wrapped, toTopic(sender)], uint(6n))])[0]?.split(' ')[0], 'wrap');
  const paid = [moves(usdc, sender, pool, 100n), swap];
  t.is(kinds(sell, [...paid, ...unwrap(wfat)])[0], 'swap FAT');
  t.false(
    kinds(sell, [...paid, ...unwrap(pool)])
      .join()
      .includes('FAT'),
  );
});
