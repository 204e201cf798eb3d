/** Time limit of statements without the setting `max_execution_time`, seconds. */
export const maxSeconds = 900;

/** Returns the time limit of a statement of `sql_user`, ms. */
export const getTimeLimit = (settings: ReadonlyMap<string, string>): number =>
  (Number(settings.get('max_execution_time')) || maxSeconds) * 1_000;
