import type { BlockLogStatus } from '../../rpc/index.ts';
import { counter, gauge, labelled, type SampledMetric } from './sample.ts';

/** The metrics of a block log; none of them has a number while there is none. */
export function blockLogMetrics(figures: () => BlockLogStatus | undefined): SampledMetric[] {
  return [
    gauge(
      'ledgerd_log_height',
      'Number of the newest block that the log is known to have.',
      () => figures()?.head,
    ),
    gauge(
      'ledgerd_log_silent_seconds',
      'How long ago the log answered last.',
      () => figures()?.silentSeconds,
    ),
    gauge(
      'ledgerd_log_halted',
      'Whether nothing is made or taken over any more, since the log is not what it should be.',
      () => {
        const log = figures();
        return log && (log.halted === undefined ? 0 : 1);
      },
    ),
    counter(
      'ledgerd_log_losses_total',
      'How often the log could not be asked any more: connections that were lost, and elections of its leader.',
      () => figures()?.losses,
    ),
    counter(
      'ledgerd_log_elections_total',
      'How often the log was seen to have another leader.',
      () => figures()?.elections,
    ),
    counter('ledgerd_log_appends_total', 'Blocks that this node appended, by outcome.', () =>
      labelled('outcome', Object.entries(figures()?.appends ?? {})),
    ),
    counter(
      'ledgerd_log_transactions_total',
      'Transactions that went between this node and the others, by what became of them.',
      () => labelled('kind', Object.entries(figures()?.transactions ?? {})),
    ),
  ];
}
