import type { Html } from '../../drawing/html.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Wrong value of a visitor. The error page shows the form again, or what leads on, so that the visitor can correct it. */
export class FormProblem extends ApiProblem {
  readonly form: Html;

  constructor(detail: string, form: Html, code: ApiProblem['code'] = 'bad_query') {
    super(code, detail);
    this.form = form;
  }
}
