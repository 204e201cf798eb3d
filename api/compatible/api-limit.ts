/** module=getapilimit: what is left of the caller's budget, of a key's identity where one was sent. @source conventions 2.6 */
import { type CompatibleAction, CompatibleError } from './action.ts';

/** Seconds as hours, minutes and seconds. */
const timespan = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/** Credits are costs of requests, of a minute; this request is among those used. */
export const apiLimit: CompatibleAction = async ({ standing }) => {
  if (!standing) throw new CompatibleError('Error! No budget is counted');
  const { limit, remaining, resetSeconds } = standing;
  return {
    creditsUsed: limit - remaining,
    creditsAvailable: remaining,
    creditLimit: limit,
    limitInterval: 'minute',
    intervalExpiryTimespan: timespan(resetSeconds),
  };
};
