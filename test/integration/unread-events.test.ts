import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { WebSocket, WebSocketServer } from 'ws';
import { ClientSocket } from '#edge/client-socket.ts';
import { UnsentEvents } from '#edge/unsent-events.ts';
import { waitFor } from '#test/helpers/processes.ts';

const kibibyte = 1024;

test('a client that reads no events is cut off while too much waits for all, and what waited is given back', async (t) => {
  const unsentEvents = new UnsentEvents(1_024 * kibibyte);
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let [slow, waiting] = [0, 0];
  const connect = async () => {
    const accepted = once(server, 'connection');
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.teardown(() => socket.terminate());
    const [[webSocket]] = await Promise.all([accepted, once(socket, 'open')]);
    // this test does not cover the node, its events and call limits
    const client = new ClientSocket(webSocket, {
      upstreams: {},
      subscriptions: { join: async () => {}, enter: () => {}, leave: () => {} },
      target: 'reads',
      caller: { name: 'test', admits: async () => true },
      takeSubscription: () => () => {},
      unsentEvents,
      onSlow: () => {
        slow++;
        waiting = webSocket.bufferedAmount;
      },
    } as unknown as ConstructorParameters<typeof ClientSocket>[1]);
    const replied = once(socket, 'message');
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
    await replied;
    await waitFor(() => client.subscriptionCount === 1, 5_000, 'the subscription begins');
    return { socket, client };
  };
  t.teardown(() => server.close());
  const [reading, pausing] = [await connect(), await connect()];
  pausing.socket.pause();
  const event = `"${'x'.repeat(256 * kibibyte)}"`;
  let heard = 0;
  reading.socket.on('message', () => void heard++);
  let sent = 0;
  const closed = once(pausing.client.socket, 'close');
  await waitFor(
    async () => {
      pausing.client.notify('newHeads', event, {});
      reading.client.notify('newHeads', event, {});
      sent++;
      await waitFor(() => heard === sent, 5_000, 'the reading client has the event');
      return slow === 1;
    },
    30_000,
    'the other one is cut off',
  );
  await closed;
  t.true(waiting <= 2_048 * kibibyte, `${waiting} bytes waited: fewer than a client may have otherwise`);
  t.is(reading.client.socket.readyState, WebSocket.OPEN);
  t.false(unsentEvents.areTooMany(1_024 * kibibyte), 'the events of the closed client no longer count');
});

test('a client for which too much waits is cut off at the next ping, if it gets no more events', async (t) => {
  let terminated = 0;
  const socket = { on: () => {}, bufferedAmount: 65 * kibibyte, readyState: 1, OPEN: 1, terminate: () => terminated++ };
  const unsentEvents = new UnsentEvents(0);
  const options = { unsentEvents, onSlow: () => {}, subscriptions: {} };
  const client = new ClientSocket(socket as never, options as never);
  client.disconnectIfSlow();
  t.is(terminated, 0);
  unsentEvents.add(1);
  client.disconnectIfSlow();
  t.is(terminated, 1);
});
