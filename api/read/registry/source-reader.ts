/** Documents of named sources as they stand now, and how fresh they are. */
import { z } from 'zod';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import type { Database } from '#sql/client.ts';
import { Count, HexHash, IsoTime } from '../../terms/primitives.ts';

type SourceName = 'registry_manifest' | 'ecosystem_directory';

/** How often configured sources are looked at; where one is not configured, it was put in by hand and is not looked at. */
export interface SourceSchedule {
  readonly refreshMs: number;
  readonly configured: Readonly<Record<SourceName, boolean>>;
}

interface SourceState {
  /** 64 hex digits; undefined where nothing sound was found yet. */
  readonly sha256: string | undefined;
  readonly source: string;
  readonly version: string;
  readonly generatedMs: number;
  readonly entries: number;
  readonly storedMs: number;
  /** Unix milliseconds. */
  readonly checkedMs: number;
  readonly succeededMs: number;
  readonly fault: string;
}

/** @source conventions: each reply names its source and asOf */
export const Provenance = z
  .strictObject({
    source: z.string().meta({ description: 'Where it was read' }),
    sha256: HexHash.meta({ description: 'Of the document, byte by byte' }),
    version: z.string(),
    entries: Count,
    asOf: IsoTime.meta({ description: 'When the document was made, as it says' }),
    storedAt: IsoTime.meta({ description: 'When it took the place of the one before' }),
    checkedAt: IsoTime.meta({ description: 'When the source was last looked at' }),
    stale: z.boolean().meta({ description: 'The source has failed, or was not looked at for three times the period' }),
    fault: z.string().nullable().meta({ description: 'What the last look found wrong' }),
  })
  .meta({ id: 'Provenance' });

/** Requests that come within this time share one look at the table, ms. */
const sharedMs = 50;

export interface SourceDeps {
  readonly sources: SourceReader;
}

export class SourceReader {
  readonly #looks = new Map<SourceName, { at: number; state: Promise<SourceState | undefined> }>();
  readonly database: Database;
  readonly schedule: SourceSchedule;

  constructor(database: Database, schedule: SourceSchedule) {
    this.database = database;
    this.schedule = schedule;
  }

  /**
   * @param maxAgeMs of the look at the table
   * @returns undefined where the source was never looked at
   */
  current(name: SourceName, maxAgeMs = sharedMs): Promise<SourceState | undefined> {
    const last = this.#looks.get(name);
    if (last && performance.now() - last.at < maxAgeMs) return last.state;
    const state = this.#read(name);
    this.#looks.set(name, { at: performance.now(), state });
    state.catch(() => this.#looks.delete(name));
    return state;
  }

  /** The document itself. @returns undefined where another one has taken its place meanwhile */
  async text(name: SourceName, sha256: string): Promise<string | undefined> {
    const [row] = await this.database.read('source_text', { name, sha256 });
    return row?.document;
  }

  /** Null where there is no document. */
  provenanceOf(name: SourceName, state: SourceState | undefined): z.input<typeof Provenance> | null {
    if (state?.sha256 === undefined) return null;
    const { source, sha256, version, entries, fault } = state;
    const isLate = this.schedule.configured[name] && Date.now() - state.succeededMs > 3 * this.schedule.refreshMs;
    return {
      source,
      sha256: `0x${sha256}`,
      version,
      entries,
      asOf: isoTimeOfMs(state.generatedMs),
      storedAt: isoTimeOfMs(state.storedMs),
      checkedAt: isoTimeOfMs(state.checkedMs),
      stale: isLate || fault !== '',
      fault: fault === '' ? null : fault,
    };
  }

  async #read(name: SourceName): Promise<SourceState | undefined> {
    const rows = await this.database.read('source_document', { name });
    // part 1: the document, first stored; part 2: the last look at its source, and the last that succeeded
    const [stored, check] = [1, 2].map((part) => rows.find((row) => row.part === part));
    const known = stored ?? check;
    if (!known) return undefined;
    return {
      sha256: stored?.sha256_hex.slice(2),
      source: known.source,
      version: stored?.version ?? '',
      fault: check?.fault ?? '',
      entries: stored?.entry_count ?? 0,
      generatedMs: 1000 * (stored?.generated_time ?? 0),
      storedMs: Number(stored?.first_ms ?? 0),
      checkedMs: Number(check?.first_ms ?? 0),
      succeededMs: Number(check?.second_ms ?? 0),
    };
  }
}
