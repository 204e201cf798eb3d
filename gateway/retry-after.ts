/** Time after which a request that was refused because others run may succeed, s: most requests are short. */
export const busySeconds = 1;

/** Returns the header that says when to send a refused request again. @param seconds undefined: no header */
export const getRetryHeaders = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) };
