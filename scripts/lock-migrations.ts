/** Writes sql/migrations/CHECKSUMS. Run only for new migrations, because released ones must not change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMigrations } from '../sql/compile/migrations.ts';

const lines = loadMigrations().map(({ name, checksum }) => `${checksum.slice(0, 32)}  ${name}`);
writeFileSync(join(import.meta.dirname, '../sql/migrations/CHECKSUMS'), `${lines.join('\n')}\n`);
