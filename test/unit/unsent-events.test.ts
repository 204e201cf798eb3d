import test from 'ava';
import { UnsentEvents } from '#edge/unsent-events.ts';

const mebibyte = 1024 * 1024;

test('clients that read little are disconnected while too much waits for all clients', (t) => {
  const unsent = new UnsentEvents(10 * mebibyte);
  t.false(unsent.areTooMany(4 * mebibyte));
  t.true(unsent.areTooMany(4 * mebibyte + 1));
  const release = unsent.add(6 * mebibyte);
  unsent.add(5 * mebibyte);
  t.false(unsent.areTooMany(64 * 1024), 'a client that reads stays');
  t.true(unsent.areTooMany(64 * 1024 + 1));
  release();
  t.false(unsent.areTooMany(4 * mebibyte));
});
