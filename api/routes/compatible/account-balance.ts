import { toQuantity } from '#chain/codec/hex.ts';
import { addressOf, type CompatibleAction, CompatibleError } from './compatible-action.ts';

const tags = ['latest', 'pending', 'earliest'];

/** module=account&action=balance: wei as a decimal string. @source specification 4.10 */
export const accountBalance: CompatibleAction = (deps, parameters) => {
  const address = addressOf(parameters);
  return deps.accounts.balance(address, tagOf(parameters.get('tag') ?? 'latest'));
};

function tagOf(text: string): string {
  const tag = text.toLowerCase();
  if (tags.includes(tag) || /^0x[0-9a-f]{1,15}$/.test(tag)) return tag;
  if (/^\d{1,15}$/.test(tag)) return toQuantity(Number(tag));
  throw new CompatibleError('Error! Invalid block number');
}
