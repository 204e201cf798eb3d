import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { closeSignal } from '#runtime/response-end.ts';
import { pause } from '#runtime/shutdown.ts';
import { waitFor } from '#test/helpers/processes.ts';

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function listen(t: ExecutionContext, serve: (response: ServerResponse) => void): Promise<Server> {
  const server = createServer((_, response) => serve(response)).listen(0, '127.0.0.1');
  t.teardown(() => server.closeAllConnections() ?? server.close());
  await once(server, 'listening');
  return server;
}

const connectTo = (server: Server) => connect((server.address() as AddressInfo).port, '127.0.0.1');

test('every request of a connection learns that its client is gone, also those that wait for earlier ones', async (t) => {
  const signals: AbortSignal[] = [];
  const server = await listen(t, (response) => signals.push(closeSignal(response)));
  const client = connectTo(server);
  client.write(get.repeat(30));
  await waitFor(async () => signals.length === 30, 5_000, 'all requests arrive');
  t.true(signals.every(({ aborted }) => !aborted));
  client.destroy();
  await waitFor(async () => signals.every(({ aborted }) => aborted), 5_000, 'all signals fire');
});

test('a response that was sent ends its signal, and leaves no listener on its connection', async (t) => {
  const signals: AbortSignal[] = [];
  let count = () => 0;
  const server = await listen(t, (response) => {
    const { socket } = response.req;
    count = () => socket.listenerCount('close');
    signals.push(closeSignal(response));
    response.end('x');
  });
  const client = connectTo(server);
  t.teardown(() => client.destroy());
  client.write(get);
  await waitFor(async () => signals[0]?.aborted === true, 5_000, 'the first was sent');
  await pause(50);
  const first = count();
  for (let i = 0; i < 5; i++) client.write(get);
  await waitFor(async () => signals.length === 6 && signals.every(({ aborted }) => aborted), 5_000, 'all were sent');
  await pause(50);
  t.is(count(), first);
});

test('a response has one signal, however often it is asked for', async (t) => {
  const asked: { isSame: boolean; listeners: number }[] = [];
  const server = await listen(t, (response) => {
    const first = closeSignal(response);
    const listeners = response.listenerCount('close');
    const isSame = closeSignal(response) === first;
    asked.push({ isSame, listeners: response.listenerCount('close') - listeners });
    response.end('x');
  });
  const client = connectTo(server);
  t.teardown(() => client.destroy());
  client.write(get);
  await waitFor(async () => asked.length === 1, 5_000, 'the request arrives');
  t.deepEqual(asked, [{ isSame: true, listeners: 0 }]);
});
