import type { Exchange, Fault, Json } from './faulty-proxy.ts';

type Change = (result: Json[], exchange: Exchange) => unknown;

function inTraces(change: Change): Fault {
  return (exchange) => {
    for (const call of exchange.calls) {
      if (call.method !== 'debug_traceBlockByHash') continue;
      const reply = exchange.replies.find((each) => each.id === call.id);
      if (!Array.isArray(reply?.result) || reply.result.length === 0) continue;
      if (change(reply.result, exchange) !== false) return 'changed';
    }
    return 'untouched';
  };
}

const inCall = (change: (call: Json) => void) =>
  inTraces((traces) => {
    const call = traces.flatMap(({ result }) => result.calls ?? []).find(({ value }) => BigInt(value ?? 0) > 0n);
    if (!call) return false;
    change(call);
  });

const nobody = `0x${'ee'.repeat(20)}`;
const other = `0x${'e'.repeat(64)}`;

const refusing =
  (code: number, message: (method: string) => string): Fault =>
  (exchange) => {
    let isHit = false;
    for (const call of exchange.calls) {
      if (!/^(debug_trace|trace_)/.test(call.method)) continue;
      const at = exchange.replies.findIndex((reply) => reply.id === call.id);
      exchange.replies[at] = { jsonrpc: '2.0', id: call.id, error: { code, message: message(call.method) } };
      isHit = true;
    }
    return isHit ? 'changed' : 'untouched';
  };

const onReply =
  (change: (reply: Json) => void): Fault =>
  (exchange) => {
    const call = exchange.calls.find(({ method }) => method === 'debug_traceBlockByHash');
    const reply = exchange.replies.find(({ id }) => id === call?.id);
    if (!reply) return 'untouched';
    change(reply);
    return 'changed';
  };

export const callTracerFaults: Record<string, Fault> = {
  null_traces: onReply((reply) => (reply.result = null)),
  empty_traces: inTraces((traces) => void traces.splice(0)),
  short_traces: inTraces((traces) => void traces.pop()),
  long_traces: inTraces((traces) => void traces.push(structuredClone(traces[0]))),
  null_inside_traces: inTraces((traces) => {
    traces[0] = null;
  }),
  error_inside_traces: inTraces((traces) => {
    traces[0] = { txHash: traces[0].txHash, error: 'execution timeout' };
  }),
  traces_out_of_order: inTraces((traces) => (traces.length > 1 ? void traces.reverse() : false)),
  traces_of_another_block: inTraces((traces) => {
    for (const trace of traces) trace.txHash = other;
  }),
  nameless_traces_of_another_block: inTraces((traces) => {
    for (const trace of traces) {
      delete trace.txHash;
      trace.result.from = nobody;
    }
  }),
  wrong_value_of_root: inTraces(([trace]) => {
    trace.result.value = '0x123456789';
  }),
  wrong_recipient_of_root: inTraces(([trace]) => {
    trace.result.to = nobody;
  }),
  wrong_outcome: inTraces(([trace]) => {
    if (trace.result.error) delete trace.result.error;
    else trace.result.error = 'execution reverted';
  }),
  call_without_sender: inCall((call) => delete call.from),
  call_to_no_address: inCall((call) => (call.to = '0x12')),
  value_of_no_quantity: inCall((call) => (call.value = '0xzz')),
  too_large_value: inCall((call) => (call.value = `0x${'f'.repeat(65)}`)),
  unknown_kind_of_call: inCall((call) => (call.type = 'TELEPORT')),
  calls_that_are_no_list: inTraces(([trace]) => {
    trace.result.calls = { 0: trace.result };
  }),
  null_call: inTraces(([trace]) => {
    trace.result.calls = [null];
  }),
  trace_internal_error: refusing(-32603, () => 'internal error'),
  trace_state_missing: refusing(-32000, () => 'required historical state unavailable (reexec=128)'),
  trace_method_missing: refusing(-32601, (method) => `the method ${method} does not exist/is not available`),
};

function inFlatTraces(change: (traces: Json[], inner: Json) => unknown): Fault {
  return (exchange) => {
    for (const call of exchange.calls) {
      if (call.method !== 'trace_block') continue;
      const reply = exchange.replies.find((each) => each.id === call.id);
      if (!Array.isArray(reply?.result)) continue;
      const inner = reply.result.find(
        ({ action, traceAddress }: Json) => traceAddress.length > 0 && BigInt(action.value ?? 0) > 0n,
      );
      if (inner && change(reply.result, inner) !== false) return 'changed';
    }
    return 'untouched';
  };
}

const without = (traces: Json[], trace: Json) => traces.splice(traces.indexOf(trace), 1);

export const flatTraceFaults: Record<string, Fault> = {
  flat_null: (exchange) => {
    const at = exchange.calls.findIndex(({ method }) => method === 'trace_block');
    if (at < 0) return 'untouched';
    exchange.replies.find(({ id }) => id === exchange.calls[at]!.id).result = null;
    return 'changed';
  },
  flat_empty: inFlatTraces((traces) => traces.splice(0)),
  flat_of_another_block: inFlatTraces((traces) => {
    for (const trace of traces) trace.blockHash = other;
  }),
  flat_of_another_transaction: inFlatTraces((_, inner) => {
    inner.transactionHash = other;
  }),
  flat_call_missing: inFlatTraces(without),
  flat_call_twice: inFlatTraces((traces, inner) => void traces.push(structuredClone(inner))),
  flat_call_out_of_place: inFlatTraces((_, inner) => {
    inner.traceAddress = [...inner.traceAddress, 7];
  }),
  flat_root_missing: inFlatTraces((traces, inner) => {
    const root = traces.find(
      (trace) => trace.traceAddress.length === 0 && trace.transactionHash === inner.transactionHash,
    );
    without(traces, root);
  }),
  flat_wrong_position: inFlatTraces((_, inner) => {
    inner.transactionPosition = 4_000;
  }),
  flat_no_address: inFlatTraces((_, inner) => {
    delete inner.traceAddress;
  }),
  flat_no_action: inFlatTraces((_, inner) => {
    inner.action = null;
  }),
  flat_unknown_kind: inFlatTraces((_, inner) => {
    inner.type = 'teleport';
  }),
  flat_value_of_no_quantity: inFlatTraces((_, inner) => {
    inner.action.value = 'many';
  }),
};

export const withoutTraceBlock =
  (fault: Fault): Fault =>
  async (exchange) => {
    let isHit = false;
    for (const [i, { method, id }] of exchange.calls.entries()) {
      if (method !== 'trace_block') continue;
      exchange.replies[i] = { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
      isHit = true;
    }
    const outcome = await fault(exchange);
    return outcome === 'untouched' && isHit ? 'changed' : outcome;
  };
