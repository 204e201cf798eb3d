import test from 'ava';
import { balanceChanges } from '#api/read/accounts/balance-changes.ts';

const [sender, made, other] = ['aa', 'bb', 'cc'].map((digits) => `0x${digits.repeat(20)}`) as [string, string, string];

const move = (type: string, from: string, to: string, value: string) =>
  type === 'create'
    ? { type, from, to: '', contractAddress: to, value, isError: '0' }
    : { type, from, to, contractAddress: '', value, isError: '0' };

function read(internal: readonly ReturnType<typeof move>[]) {
  const tx = {
    ...{
      from: sender,
      to: other,
      contractCreated: null,
      status: 1 as const,
      value: '9',
      fee: '0',
      gasUsed: 0,
      gasPrice: '0',
    },
    tokenTransfers: [],
  } as const;
  const changes = balanceChanges(tx, { producer: sender, baseFee: undefined, internal });
  return Object.fromEntries(changes.map(({ address, coin }) => [address, coin]));
}

test('a contract that one transaction creates and destroys keeps no coins', (t) => {
  const create = move('create', other, made, '5');
  const burned = [create, move('selfdestruct', made, made, '5')];
  t.deepEqual(read(burned), { [sender]: -9n, [other]: 4n });
  t.deepEqual(read([...burned, move('call', other, made, '3')]), { [sender]: -9n, [other]: 1n });
  t.deepEqual(read([create, move('selfdestruct', made, other, '5')]), { [sender]: -9n, [other]: 9n });
  t.deepEqual(read([create]), { [sender]: -9n, [other]: 4n, [made]: 5n });
});

test('a contract that existed before keeps what it sends to itself', (t) => {
  t.deepEqual(read([move('selfdestruct', other, other, '9')]), { [sender]: -9n, [other]: 9n });
});
