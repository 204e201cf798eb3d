export { getStatement, loadStatements, type Statement, type Statements } from './compile/statements.ts';
