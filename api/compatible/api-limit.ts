/** @source docs/identity.md#rate-limits */
import { type CompatibleAction, CompatibleError } from './action.ts';

const timespan = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

export const apiLimit: CompatibleAction = async ({ standing }) => {
  if (!standing) throw new CompatibleError('Error! There is no limit to report: rate limits are disabled');
  const { limit, remaining, resetSeconds } = standing;
  return {
    creditsUsed: limit - remaining,
    creditsAvailable: remaining,
    creditLimit: limit,
    limitInterval: 'minute',
    intervalExpiryTimespan: timespan(resetSeconds),
  };
};
