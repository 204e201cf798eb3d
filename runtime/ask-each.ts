/** Time after the first answer in which the other endpoints can answer, ms. */
const usualGraceMs = 1_500;

interface AskOptions<E extends object> {
  /** Endpoints that have not answered an earlier question of this kind yet. Each kind of question has its own set. */
  readonly late: WeakSet<E>;
  readonly graceMs?: number;
}

/**
 * Sends the same request to endpoints. Waits for all answers, but after the first one only for `graceMs`, so that an
 * endpoint that hangs does not delay the others. Until it answers, it gets new requests only if no other one does.
 * @returns one answer per endpoint; undefined: none in time, or an error
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
