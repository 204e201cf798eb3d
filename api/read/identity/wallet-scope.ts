import { ApiProblem } from '../../terms/errors.ts';
import type { Identity } from './access.ts';

/**
 * @throws ApiProblem wallet_scope_violation unless the caller owns the wallet or is an operator
 * @source docs/identity.md
 */
export function assertWalletScope({ wallets, isOperator }: Identity, wallet: string): void {
  if (!isOperator && !wallets.includes(wallet))
    throw new ApiProblem('wallet_scope_violation', `${wallet} is not linked to your identity`);
}
