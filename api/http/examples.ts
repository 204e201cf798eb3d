import { isDeepStrictEqual } from 'node:util';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import type { AnyRoute } from './define-route.ts';

export type ExampleSubjects = Readonly<Record<'transaction' | 'account' | 'token' | 'nft' | 'venue', string>>;

const unknownAddress = `0x${'0'.repeat(40)}`;
const placeholders = { addressSet: '0'.repeat(32), withdrawal: `0x${'0'.repeat(64)}`, entity: `0x${'0'.repeat(63)}1` };
export const examplePlaceholders: ExampleSubjects = {
  transaction: `0x${'0'.repeat(64)}`,
  account: unknownAddress,
  token: unknownAddress,
  nft: unknownAddress,
  venue: 'exchange-fat-usdt',
};

/** Time after which venues and missing ids are read again, ms. */
const rereadMs = 10_000;

/** Reads ids of the indexed chain for the examples of the API docs. */
export function exampleReader(deps: StoreDeps & SnapshotDeps): () => Promise<ExampleSubjects> {
  let found: ExampleSubjects | undefined;
  let rereadAt = 0;
  return async () => {
    if (found && performance.now() < rereadAt) return found;
    const ofChain = isComplete(found) ? found : await readSubjects(deps);
    if (!ofChain) return found ?? examplePlaceholders;
    const subjects = { ...ofChain, venue: await readVenue(deps) };
    rereadAt = performance.now() + rereadMs;
    // callers cache documents by this object, so equal ids must return the same object
    if (!isDeepStrictEqual(found, subjects)) found = subjects;
    return found ?? subjects;
  };
}

const isComplete = (subjects: ExampleSubjects | undefined) =>
  subjects !== undefined && Object.values(subjects).every((subject) => subject !== unknownAddress);

async function readVenue({ database }: StoreDeps): Promise<string> {
  const [first] = await database.read('venues').catch(() => []);
  return first?.id ?? examplePlaceholders.venue;
}

async function readSubjects({
  database,
  snapshots,
}: StoreDeps & SnapshotDeps): Promise<Omit<ExampleSubjects, 'venue'> | undefined> {
  const state = await snapshots.current().catch(() => undefined);
  if (!state) return;
  const [row] = await database.read('example_subjects', snapshotParameters(state)).catch(() => []);
  if (!row?.transaction) return;
  const { transaction, account, token, nft } = row;
  return { transaction, account, token: token || unknownAddress, nft: nft || token || unknownAddress };
}

export function examplePath({ base, example }: AnyRoute, subjects: ExampleSubjects): string {
  return base + fillIn(example, subjects);
}

export function fillExample(example: unknown, subjects: ExampleSubjects): unknown {
  return JSON.parse(fillIn(JSON.stringify(example), subjects));
}

function fillIn(text: string, subjects: ExampleSubjects): string {
  const all = { ...subjects, ...placeholders };
  return text.replace(/{(\w+)}/g, (whole, name) => all[name as keyof typeof all] ?? whole);
}

export function exampleValues(route: AnyRoute, subjects: ExampleSubjects): Record<string, string> {
  const url = new URL(examplePath(route, subjects), 'http://localhost');
  const names = route.path.split('/');
  const parts = url.pathname.slice(route.base.length).split('/');
  const placed = names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), parts[at] ?? '']] : []));
  return { ...Object.fromEntries(placed), ...Object.fromEntries(url.searchParams) };
}
