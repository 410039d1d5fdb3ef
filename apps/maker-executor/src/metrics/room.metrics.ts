import { declareMetrics, type MetricsRegistry, reading } from '@maker/service-kit';

/** Number of executions that wait for their share of the minute's gas. Source: docs/adr/0033. */
export class RoomMetrics {
  /** Counts these executions of this process; {@link WalletOwner} sets it. */
  count: () => number = () => 0;

  constructor(registry: MetricsRegistry) {
    declareMetrics(registry, {
      maker_execution_waiting_for_room: reading(
        "Executions of this process whose due transaction waits for a share of the minute's gas.",
        async () => this.count(),
      ),
    });
  }
}
