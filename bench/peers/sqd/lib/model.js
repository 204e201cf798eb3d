const { Column, Entity, PrimaryColumn } = require('typeorm');

/** Declares an entity without decorator syntax, so that no compiler is needed. */
function entity(name, columns) {
  const type = {
    [name]: class {
      constructor(fields) {
        Object.assign(this, fields);
      }
    },
  }[name];
  PrimaryColumn({ type: 'text' })(type.prototype, 'id');
  for (const [column, options] of Object.entries(columns)) Column(options)(type.prototype, column);
  Entity()(type);
  return type;
}

const text = { type: 'text' };
const integer = { type: 'int4' };
const transformer = { to: (value) => value?.toString(), from: (value) => (value === null ? null : BigInt(value)) };
const amount = { type: 'numeric', transformer };

exports.Block = entity('Block', { number: integer, miner: text, timestamp: { type: 'int8' } });
exports.Transaction = entity('Transaction', {
  ...{ block: integer, sender: text, recipient: { ...text, nullable: true }, status: integer },
  ...{ value: amount, gasUsed: amount, input: text },
});
exports.Log = entity('Log', {
  ...{ block: integer, address: text, topics: { type: 'text', array: true }, data: text, txHash: text },
});
