import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { Database } from '#sql/client.ts';
import { Count, HexHash, IsoTime } from '../../terms/primitives.ts';

type SourceName = 'registry_manifest' | 'ecosystem_directory';

/** Refresh settings. Documents without a configured source are imported manually. */
export interface SourceSchedule {
  readonly refreshMs: number;
  readonly configured: Readonly<Record<SourceName, boolean>>;
}

interface SourceState {
  /** 64 hex digits; undefined until a valid document is stored. */
  readonly sha256: string | undefined;
  readonly source: string;
  readonly version: string;
  readonly generatedMs: number;
  readonly entries: number;
  readonly storedMs: number;
  /** Last check of the source, Unix ms. */
  readonly checkedMs: number;
  readonly succeededMs: number;
  readonly fault: string;
}

/** @source docs/registry.md */
export const Provenance = z
  .strictObject({
    source: z.string().meta({ description: 'URL or file from which the document was read' }),
    sha256: HexHash.meta({ description: 'SHA-256 of the document' }),
    version: z.string(),
    entries: Count,
    asOf: IsoTime.meta({ description: 'Creation time that the document states' }),
    storedAt: IsoTime.meta({ description: 'Time at which this document replaced the previous one' }),
    checkedAt: IsoTime.meta({ description: 'Time of the last check of the source' }),
    stale: z.boolean().meta({
      description:
        'true if the document may be old: the last check of its source failed, or no check succeeded for three refresh intervals',
    }),
    fault: z.string().nullable().meta({ description: 'Error of the last check; null if the check succeeded' }),
  })
  .meta({ id: 'Provenance' });

/** Requests share one database read in this time, ms. */
const shareMs = 50;

export interface SourceDeps {
  readonly sources: SourceReader;
}

export class SourceReader {
  readonly #cached = new Map<SourceName, { at: number; state: Promise<SourceState | undefined> }>();
  readonly database: Database;
  readonly schedule: SourceSchedule;

  constructor(database: Database, schedule: SourceSchedule) {
    this.database = database;
    this.schedule = schedule;
  }

  /** Returns the state of a document, at most `maxAgeMs` old; undefined if its source was never checked. */
  current(name: SourceName, maxAgeMs = shareMs): Promise<SourceState | undefined> {
    const last = this.#cached.get(name);
    if (last && performance.now() - last.at < maxAgeMs) return last.state;
    const state = this.#read(name);
    this.#cached.set(name, { at: performance.now(), state });
    state.catch(() => this.#cached.delete(name));
    return state;
  }

  /** Returns the text of a document; undefined if another document has replaced it. */
  async text(name: SourceName, sha256: string): Promise<string | undefined> {
    const [row] = await this.database.read('source_text', { name, sha256 });
    return row?.document;
  }

  getProvenance(name: SourceName, state: SourceState | undefined): z.input<typeof Provenance> | null {
    if (state?.sha256 === undefined) return null;
    const { source, sha256, version, entries, fault } = state;
    const isOverdue = this.schedule.configured[name] && Date.now() - state.succeededMs > 3 * this.schedule.refreshMs;
    return {
      source,
      sha256: `0x${sha256}`,
      version,
      entries,
      asOf: isoTimeFromMs(state.generatedMs),
      storedAt: isoTimeFromMs(state.storedMs),
      checkedAt: isoTimeFromMs(state.checkedMs),
      stale: isOverdue || fault !== '',
      fault: fault === '' ? null : fault,
    };
  }

  async #read(name: SourceName): Promise<SourceState | undefined> {
    const rows = await this.database.read('source_document', { name });
    // part 1: the document; part 2: times of the last check and of the last successful check
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
