import { declareMetrics, type MetricsRegistry, reading } from '@maker/service-kit';

/** How many transactions wait for room in the share of the gas of the minute. Source: docs/adr/0033. */
export class RoomMetrics {
  /** Counts them in the sessions of this process. */
  count: () => number = () => 0;

  constructor(registry: MetricsRegistry) {
    declareMetrics(registry, {
      maker_execution_waiting_for_room: reading(
        'Executions of this process whose next transaction is due and waits for room in the share of the gas of the minute.',
        async () => this.count(),
      ),
    });
  }
}
