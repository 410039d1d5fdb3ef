import {
  listWebhookDeliveries,
  listWebhookEndpoints,
  type OperatorCommandResponse,
  type RedeliverRequest,
  type WebhookDeliveriesQuery,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { BodyOf, QueryOf, Serves } from '../requests/serves.ts';
import { OperatorCommands } from './operator-commands.ts';
import { OperatorQueryLog } from './operator-query-log.ts';

/** What operators see and order of webhooks; needs a key with the scope `operator`. */
@RequireScope('operator')
@Controller()
export class OperatorWebhooksController {
  constructor(
    private readonly requests: RequestClient,
    private readonly commands: OperatorCommands,
    private readonly log: OperatorQueryLog,
  ) {}

  /** Names no job, so that it is open to each operator and is not written down. */
  @Serves('listWebhookEndpoints')
  endpoints() {
    return this.requests.request(listWebhookEndpoints, {});
  }

  @Serves('listWebhookDeliveries')
  async deliveries(
    @QueryOf('listWebhookDeliveries') { reason, ...query }: WebhookDeliveriesQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    const { jobId } = query;
    await this.log.record({ action: 'webhooks', operator, reason, ...(jobId !== undefined && { jobId }) });
    return this.requests.request(listWebhookDeliveries, query);
  }

  @Serves('redeliverWebhooks')
  redeliver(
    @BodyOf('redeliverWebhooks') { reason, ...which }: RedeliverRequest,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Promise<OperatorCommandResponse> {
    return this.commands.redeliver(which, { operator, reason });
  }
}
