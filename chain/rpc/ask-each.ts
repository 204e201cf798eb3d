import type { Endpoint } from './endpoint.ts';

/** Time after the first answer in which the other endpoints can answer, ms. */
const graceMs = 1_500;
/** Endpoints that have not answered an earlier question yet. */
const late = new WeakSet<Endpoint>();

/**
 * Asks all endpoints the same. Waits for all answers, but after the first one at most `graceMs`, so that an endpoint that
 * hangs does not delay the others. Until it has answered, it is not asked again, unless all endpoints hang.
 * @returns one answer per endpoint; undefined: none in time, or an error
 */
export async function askEach<T>(
  endpoints: readonly Endpoint[],
  ask: (endpoint: Endpoint) => Promise<T | undefined>,
): Promise<(T | undefined)[]> {
  const answers = new Map<Endpoint, T>();
  const prompt = endpoints.filter((endpoint) => !late.has(endpoint));
  const open = new Set(prompt.length > 0 ? prompt : endpoints);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let timer: NodeJS.Timeout | undefined;
  const asking = [...open].map(async (endpoint) => {
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
  return endpoints.map((endpoint) => answers.get(endpoint));
}
