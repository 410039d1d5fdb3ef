import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.decorator.ts';
import { ApiError } from '../errors/api-error.ts';

/** Most concurrent plans of one client: an eighth of the job service's limit. */
const MOST_OF_CLIENT = 8;
const RETRY_AFTER_SECONDS = 1;

/** Bulkhead of plans by client, so that one client cannot take all places of the job service. */
@Injectable()
export class PlansBulkhead {
  private readonly byClient = new Map<string, number>();

  /** @throws ApiError `TOO_MANY_REQUESTS` if the client already waits for {@link MOST_OF_CLIENT} plans */
  async run<Plan>({ apiKeyName, address }: Caller, make: () => Promise<Plan>): Promise<Plan> {
    const client = `${apiKeyName} ${address}`;
    const running = this.byClient.get(client) ?? 0;
    if (running >= MOST_OF_CLIENT) {
      throw new ApiError('TOO_MANY_REQUESTS', 'Wait for the plans that you asked for before', RETRY_AFTER_SECONDS);
    }
    this.byClient.set(client, running + 1);
    try {
      return await make();
    } finally {
      const others = (this.byClient.get(client) ?? 1) - 1;
      if (others > 0) this.byClient.set(client, others);
      else this.byClient.delete(client);
    }
  }
}
