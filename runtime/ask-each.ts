/** How long other endpoints may take after the first answer, ms. */
const usualGraceMs = 1_500;

interface AskOptions<E extends object> {
  /** Endpoints that have not answered an earlier request yet. Use one set per kind of request. */
  readonly late: WeakSet<E>;
  readonly graceMs?: number;
}

/**
 * Sends the same request to all endpoints. Waits for all answers, but only `graceMs` after the first one. A hanging
 * endpoint gets new requests only if no other one answers, until it answers.
 * @returns one answer per endpoint; undefined after an error or timeout
 */
export async function askEach<E extends object, T>(
  endpoints: readonly E[],
  ask: (endpoint: E) => Promise<T | undefined>,
  { late, graceMs = usualGraceMs }: AskOptions<E>,
): Promise<(T | undefined)[]> {
  const prompt = endpoints.filter((endpoint) => !late.has(endpoint));
  let answers = await readAnswers(prompt, ask, late, graceMs);
  if (answers.size === 0 && prompt.length < endpoints.length)
    answers = await readAnswers(
      endpoints.filter((endpoint) => !prompt.includes(endpoint)),
      ask,
      late,
      graceMs,
    );
  return endpoints.map((endpoint) => answers.get(endpoint));
}

async function readAnswers<E extends object, T>(
  endpoints: readonly E[],
  ask: (endpoint: E) => Promise<T | undefined>,
  late: WeakSet<E>,
  graceMs: number,
): Promise<ReadonlyMap<E, T>> {
  const answers = new Map<E, T>();
  const open = new Set(endpoints);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let timer: NodeJS.Timeout | undefined;
  const asking = endpoints.map(async (endpoint) => {
    const answer = await ask(endpoint).catch(() => undefined);
    open.delete(endpoint);
    late.delete(endpoint);
    if (answer === undefined) return;
    answers.set(endpoint, answer);
    timer ??= setTimeout(end, graceMs);
  });
  await Promise.race([Promise.all(asking), ended]);
  clearTimeout(timer);
  for (const endpoint of open) late.add(endpoint);
  return new Map(answers);
}
