/** A page is one value: where it lies, what it is called, and how it is made. */
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import type { IndexInfo } from '../terms/primitives.ts';
import type { Html } from './html.ts';

export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
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

export interface Page {
  readonly id: string;
  /** From the origin on, as the router takes it. */
  readonly path: string;
  /** Name in the navigation; absent: it is not there. */
  readonly nav?: string;
  /** Seconds that caches may keep it. */
  readonly maxAgeSeconds: number;
  /** True: it also answers while nothing is indexed, and reads the state itself. */
  readonly isUnpinned?: boolean;
  /** What readers are told where the thing is not there: what it is, and what they can do. */
  readonly absent?: { readonly title: string; readonly hint: string };
  readonly handle: (deps: ApiDeps, request: PageRequest) => Promise<PageView | Redirect>;
}

export const definePage = (page: Page): Page => page;
