/** Default of `max_execution_time`, seconds. */
export const maxSeconds = 900;

/** Returns the time limit, ms. */
export const getTimeLimit = (settings: ReadonlyMap<string, string>): number =>
  (Number(settings.get('max_execution_time')) || maxSeconds) * 1_000;
