/** A page is one value: where it lies, what it is called, and how it is made. */
import type { z } from 'zod';
import type { IndexInfo } from '../terms/primitives.ts';
import type { Html } from './html.ts';

/** The name that a path leaves open; none has two. */
type NameIn<Path extends string> = Path extends `${string}:${infer Name}` ? Name : never;

export interface PageRequest<Name extends string = never> {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: URLSearchParams;
  /** Path with query, as it was asked for. */
  readonly url: string;
  /** Unix seconds. */
  readonly now: number;
  /** Symbol of the native coin. */
  readonly coin: string;
}

export interface PageView {
  /** Plain text, for the window's title; the frame adds the name of the chain. */
  readonly title: string;
  readonly body: Html;
  /** How far the index reaches, for the frame; absent where nothing was read from it. */
  readonly index?: z.infer<typeof IndexInfo> | undefined;
}

/** Another page answers. */
export class Redirect {
  readonly location: string;
  constructor(location: string) {
    this.location = location;
  }
}

interface Page<Path extends string, D> {
  readonly id: string;
  /** From the origin on, as the router takes it. */
  readonly path: Path;
  /** Name in the navigation; absent: it is not there. */
  readonly nav?: string;
  /** Seconds that caches may keep it. */
  readonly maxAgeSeconds: number;
  /** True: it also answers while nothing is indexed, and reads the state itself. */
  readonly isUnpinned?: boolean;
  /** What readers are told where the thing is not there: what it is, and what they can do. */
  readonly absent?: { readonly title: string; readonly hint: string };
  /** Its first parameter names what is taken of all that the service has. */
  readonly handle: (deps: D, request: PageRequest<NameIn<Path>>) => Promise<PageView | Redirect>;
}

// biome-ignore lint/suspicious/noExplicitAny: the list of pages holds every instance of the generic
export type AnyPage<D = any> = Page<any, D>;

export const definePage = <Path extends string, D = unknown>(page: Page<Path, D>): Page<Path, D> => page;
