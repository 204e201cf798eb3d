import type { Context } from 'koa';
import { type AdmissionDeps, charge, getBudgetName } from '../http/admission.ts';
import { ApiProblem } from '../terms/errors.ts';

/** The client that requested a page. The routes that the page calls count against its rate limit. */
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
 * Returns a function that adds the visitor to dependencies. If a page is made again on a newer snapshot, the visitor pays
 * only for the additional cost.
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
