import { loadStatements } from '#sql/statements.ts';

const s = loadStatements();
const name = process.argv[2]!;
console.log(s.get(name)!.sql);
