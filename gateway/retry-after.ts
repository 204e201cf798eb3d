/** Retry-After of a request that was rejected because others run, s. Most requests are short. */
export const busySeconds = 1;

/** @param seconds undefined: no header */
export const getRetryHeaders = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) };
