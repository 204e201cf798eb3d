import type { Html } from '../../drawing/html.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Wrong value in a form, which the error page shows again, so that the visitor can correct it. */
export class FormProblem extends ApiProblem {
  readonly form: Html;

  constructor(detail: string, form: Html, code: ApiProblem['code'] = 'bad_query') {
    super(code, detail);
    this.form = form;
  }
}
