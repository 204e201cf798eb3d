import type { Context } from 'koa';
import { type AdmissionDeps, charge, getBudgetName } from '../http/admission.ts';
import { ApiProblem } from '../terms/errors.ts';

/** Client that requested a page. The page's route calls count against its rate limit. */
interface Visitor {
  /** Name of the client in queues of expensive queries. */
  readonly caller: string;
  /** IP address; unset: the service itself. */
  readonly address?: string | undefined;
  /** @throws ApiProblem rate_limited */
  readonly charge: (cost: number) => Promise<boolean>;
}

export interface VisitorDeps {
  readonly visitor: Visitor;
}

export interface ChargeDeps {
  readonly admission: AdmissionDeps;
}

/**
 * Returns a function that adds the visitor to dependencies. A page rendered again on a newer snapshot costs the visitor
 * only the difference.
 */
export function addVisitor({ admission }: ChargeDeps, ctx: Context): <D>(deps: D) => D & VisitorDeps {
  let paid = 0;
  let refusal: ApiProblem | undefined;
  const pay = async (cost: number) => {
    paid += cost;
    try {
      return await charge(admission, ctx, cost);
    } catch (error) {
      if (error instanceof ApiProblem) refusal = error;
      throw error;
    }
  };
  return (deps) => {
    let due = 0;
    const chargeMore = async (cost: number) => {
      if (refusal) throw refusal;
      due += cost;
      return due <= paid || pay(due - paid);
    };
    return { ...deps, visitor: { caller: getBudgetName(ctx), address: ctx.ip, charge: chargeMore } };
  };
}
