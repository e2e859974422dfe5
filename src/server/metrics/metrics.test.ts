import { describe, expect, test } from 'vitest';
import { METHODS } from '../../rpc/index.ts';
import { testMetrics } from '../server.testing.ts';
import { REFUSAL_REASONS } from './metrics.ts';

/** The numbers of a text in Prometheus' format, by name and labels. */
function numbersOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('the text', () => {
  test('default', async () => {
    const numbers = numbersOf(await testMetrics().text());
    expect(Object.fromEntries(numbers)).toMatchObject({
      'ledgerd_info{version="1.2.3"}': 1,
      ledgerd_block_height: 7,
      ledgerd_block_age_seconds: 2,
      'ledgerd_producer_missing{producer="1.2.1023"}': 0,
      'ledgerd_producer_missing{producer="1.2.1022"}': 1,
      ledgerd_pending_transactions: 3,
      'ledgerd_signature_checks_total{thread="other"}': 2,
      ledgerd_workers: 2,
      ledgerd_store_file_bytes: 4_096,
      ledgerd_store_used_bytes: 2_048,
      ledgerd_store_write_failed: 1,
      ledgerd_store_unwritten_blocks: 6,
      ledgerd_store_readers: 1,
      ledgerd_store_oldest_reader_transactions: 5,
      ledgerd_connections: 0,
      'ledgerd_held_bytes{kind="answers"}': 0,
      ledgerd_evm_gas_total: 0,
      process_resident_memory_bytes: expect.any(Number),
      process_cpu_seconds_total: expect.any(Number),
    });
    for (const reason of REFUSAL_REASONS) {
      expect(numbers.get(`ledgerd_refused_total{reason="${reason}"}`)).toBe(0);
    }
  });

  test('behavior: every metric has a HELP and a TYPE line', async () => {
    const text = await testMetrics().text();
    const named = (kind: string) =>
      [...text.matchAll(new RegExp(`^# ${kind} (\\w+) \\S`, 'gm'))].map(([, name]) => name);
    expect(named('HELP')).toEqual(named('TYPE'));
    expect(new Set(named('HELP')).size).toBe(named('HELP').length);
    expect(named('HELP')).toContain('ledgerd_calls_total');
  });
});

describe('calls', () => {
  test('default', async () => {
    const metrics = testMetrics();
    metrics.onCall('eth_call', 'result', 0.05);
    metrics.onCall('eth_call', 'result', 1);
    metrics.onCall('eth_call', 'reverted', 60_000);
    metrics.onCall('other', 'unknown', 0);
    const numbers = numbersOf(await metrics.text());
    const ofCalls = [...numbers].filter(([name]) => name.startsWith('ledgerd_calls_total'));
    expect(ofCalls).toEqual([
      ['ledgerd_calls_total{method="eth_call",outcome="result"}', 2],
      ['ledgerd_calls_total{method="eth_call",outcome="reverted"}', 1],
      ['ledgerd_calls_total{method="other",outcome="unknown"}', 1],
    ]);
    const bucket = (le: string) =>
      numbers.get(`ledgerd_call_duration_seconds_bucket{method="eth_call",le="${le}"}`);
    expect(['0.0001', '0.0005', '0.001', '30', '+Inf'].map(bucket)).toEqual([1, 1, 2, 2, 3]);
    expect(numbers.get('ledgerd_call_duration_seconds_count{method="eth_call"}')).toBe(3);
    expect(numbers.get('ledgerd_call_duration_seconds_sum{method="eth_call"}')).toBeCloseTo(60.00105);
  });

  test('behavior: unknown method names do not add labels', async () => {
    const metrics = testMetrics();
    for (let count = 0; count < 1_000; count += 1) metrics.onCall(`eth_${count}\n"`, 'unknown', 1);
    for (const method of METHODS.keys()) metrics.onCall(method, 'result', 1);
    const names = [...numbersOf(await metrics.text()).keys()];
    expect(names.filter((name) => name.startsWith('ledgerd_calls_total'))).toHaveLength(METHODS.size + 1);
  });
});

describe('blocks', () => {
  test('default', async () => {
    const metrics = testMetrics();
    metrics.onBlock({ applyMilliseconds: 3, commitMilliseconds: 0.2, gas: 21_000n });
    metrics.onBlock({ applyMilliseconds: 400, commitMilliseconds: 12, gas: 30_000_000n });
    const numbers = numbersOf(await metrics.text());
    expect(numbers.get('ledgerd_evm_gas_total')).toBe(30_021_000);
    expect(numbers.get('ledgerd_block_apply_seconds_sum')).toBeCloseTo(0.403);
    expect(numbers.get('ledgerd_block_apply_seconds_bucket{le="0.005"}')).toBe(1);
    expect(numbers.get('ledgerd_block_commit_seconds_count')).toBe(2);
  });
});

describe('the event loop', () => {
  test('default', async () => {
    const metrics = testMetrics();
    let count: number | undefined;
    while (count === undefined) {
      await new Promise(setImmediate);
      count = numbersOf(await metrics.text()).get('ledgerd_event_loop_lag_seconds_count');
    }
    expect(count).toBe(1);
  });
});
