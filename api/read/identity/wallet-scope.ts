/** Limits the annotated history of a wallet to its owner and to operators. @source docs/identity.md */
import { ApiProblem } from '../../terms/errors.ts';
import type { Identity } from './access.ts';

/** @throws ApiProblem wallet_scope_violation unless the wallet is the caller's or the caller is an operator */
export function assertWalletScope({ wallets, isOperator }: Identity, wallet: string): void {
  if (!isOperator && !wallets.includes(wallet))
    throw new ApiProblem('wallet_scope_violation', `${wallet} is not linked to your identity`);
}
