/** Captured replies in the API docs. Update them with scripts/capture-replies.ts. */
import test from 'ava';
import replies from '#api/http/example-replies.json' with { type: 'json' };
import { routes } from '#api/routes/index.ts';

test('captured replies match the schemas of their routes', (t) => {
  for (const [id, reply] of Object.entries(replies)) {
    const route = routes.find((one) => one.id === id);
    if (!route) {
      t.fail(`no route ${id}`);
      continue;
    }
    const text = typeof reply === 'string' ? Object.values(route.item ?? {})[0] : undefined;
    const documents =
      typeof reply === 'string'
        ? reply
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [reply];
    for (const document of documents)
      t.deepEqual((text ?? route.response).safeParse(document).error?.issues ?? [], [], id);
  }
});

test('main routes for charts, exports, lists and deposits have a captured reply', (t) => {
  const main = ['getStats', 'getChart', 'listTransactions', 'listAccountTransactions', 'exportRows', 'certifyExport'];
  const deposits = ['postAddressSet', 'listSetTransfers', 'getVerdict', 'listReorgs'];
  for (const id of [...main, ...deposits]) t.true(id in replies, id);
});
