import type { Html } from '../../drawing/html.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Invalid value from a visitor. The error page shows the form, or another way to continue. */
export class FormProblem extends ApiProblem {
  readonly form: Html;

  constructor(detail: string, form: Html, code: ApiProblem['code'] = 'bad_query') {
    super(code, detail);
    this.form = form;
  }
}
