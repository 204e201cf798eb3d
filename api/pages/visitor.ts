import type { Context } from 'koa';
import { type AdmissionDeps, charge, getBudgetName } from '../http/admission.ts';

/** The client that requested a page. The routes that the page calls count against its rate limit. */
interface Visitor {
  /** Name of the client in queues of expensive queries. */
  readonly caller: string;
  /** @throws ApiProblem rate_limited */
  readonly charge: (cost: number) => Promise<boolean>;
}

export interface VisitorDeps {
  readonly visitor: Visitor;
}

export interface ChargeDeps {
  readonly admission: AdmissionDeps;
}

export const withVisitor = <D extends ChargeDeps>(deps: D, ctx: Context): D & VisitorDeps => ({
  ...deps,
  visitor: { caller: getBudgetName(ctx), charge: (cost) => charge(deps.admission, ctx, cost) },
});
