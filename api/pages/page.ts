import type { z } from 'zod';
import type { Html } from '../drawing/html.ts';
import type { IndexInfo } from '../terms/primitives.ts';

/** Name of the parameter in a path, which has at most one. */
type NameIn<Path extends string> = Path extends `${string}:${infer Name}` ? Name : never;

export interface PageRequest<Name extends string = never> {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: URLSearchParams;
  readonly url: string;
  /** Current time, Unix seconds. */
  readonly now: number;
  readonly coin: string;
}

export interface PageView {
  /** Plain text. The frame appends the chain name. */
  readonly title: string;
  readonly body: Html;
  readonly index?: z.infer<typeof IndexInfo> | undefined;
}

export class Redirect {
  readonly location: string;
  constructor(location: string) {
    this.location = location;
  }
}

interface Page<Path extends string, D> {
  readonly id: string;
  readonly path: Path;
  readonly nav?: string;
  /** Maximum age in caches; 0 disables caching. */
  readonly maxAgeSeconds: number;
  /** Each route of the page reads its own snapshot of the chain. */
  readonly isUnpinned?: boolean;
  readonly absent?: { readonly title: string; readonly hint: string };
  readonly handle: (deps: D, request: PageRequest<NameIn<Path>>) => Promise<PageView | Redirect>;
  /** Form that is posted to the page's path. An error page shows it again with the posted values. */
  readonly postedForm?: (deps: D, values: URLSearchParams) => Promise<Html>;
}

// biome-ignore lint/suspicious/noExplicitAny: the list holds pages with different type arguments
export type AnyPage<D = any> = Page<any, D>;

export const definePage = <Path extends string, D = unknown>(page: Page<Path, D>): Page<Path, D> => page;
