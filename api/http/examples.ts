/** Examples of the docs: the routes' example paths with an account, a transaction and tokens of the chain itself in them. */
import { isDeepStrictEqual } from 'node:util';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import type { AnyRoute } from './define-route.ts';

export type ExampleSubjects = Readonly<Record<'transaction' | 'account' | 'token' | 'nft', string>>;

const unknownAddress = `0x${'0'.repeat(40)}`;
/** What clients make themselves. */
const placeholders = { addressSet: '0'.repeat(32), withdrawal: `0x${'0'.repeat(64)}`, entity: `0x${'0'.repeat(63)}1` };
/** Before anything is indexed. */
const unknown = {
  transaction: `0x${'0'.repeat(64)}`,
  account: unknownAddress,
  token: unknownAddress,
  nft: unknownAddress,
};

/** How often a chain that lacks something is asked for it again, ms. */
const lookAgainMs = 10_000;

/** Reads subjects, and keeps them once all are there. */
export function exampleReader(deps: StoreDeps & SnapshotDeps): () => Promise<ExampleSubjects> {
  let found: ExampleSubjects | undefined;
  let lookAgainAt = 0;
  return async () => {
    if (found && performance.now() < lookAgainAt) return found;
    const subjects = await readSubjects(deps);
    if (!subjects) return found ?? unknown;
    const isWhole = Object.values(subjects).every((subject) => subject !== unknownAddress);
    lookAgainAt = isWhole ? Number.POSITIVE_INFINITY : performance.now() + lookAgainMs;
    if (!isDeepStrictEqual(found, subjects)) found = subjects; // the same one stands for the same documents
    return found ?? subjects;
  };
}

async function readSubjects({ database, snapshots }: StoreDeps & SnapshotDeps): Promise<ExampleSubjects | undefined> {
  const state = await snapshots.current().catch(() => undefined);
  if (!state) return;
  const [row] = await database.read('example_subjects', snapshotParameters(state)).catch(() => []);
  if (!row?.transaction) return;
  const { transaction, account, token, nft } = row;
  return { transaction, account, token: token || unknownAddress, nft: nft || token || unknownAddress };
}

/** Path with query, from the origin on. */
export function examplePath({ base, example }: AnyRoute, subjects: ExampleSubjects): string {
  return base + fillIn(example, subjects);
}

/** The same of a request's body. */
export function fillExample(example: unknown, subjects: ExampleSubjects): unknown {
  return JSON.parse(fillIn(JSON.stringify(example), subjects));
}

function fillIn(text: string, subjects: ExampleSubjects): string {
  const all = { ...subjects, ...placeholders };
  return text.replace(/{(\w+)}/g, (whole, name) => all[name as keyof typeof all] ?? whole);
}

/** Values of the parameters in the example, by name. */
export function exampleValues(route: AnyRoute, subjects: ExampleSubjects): Record<string, string> {
  const url = new URL(examplePath(route, subjects), 'http://localhost');
  const names = route.path.split('/');
  const parts = url.pathname.slice(route.base.length).split('/');
  const placed = names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), parts[at] ?? '']] : []));
  return { ...Object.fromEntries(placed), ...Object.fromEntries(url.searchParams) };
}
