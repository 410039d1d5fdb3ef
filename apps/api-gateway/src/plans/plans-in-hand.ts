import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.decorator.ts';
import { ApiError } from '../errors/api-error.ts';

/** Plans that one client may wait for at once: an eighth of what the job service makes at once. */
const MOST_OF_CLIENT = 8;
const RETRY_AFTER_SECONDS = 1;

/** Bulkhead of plans by client, so that one client cannot take all places of the job service. */
@Injectable()
export class PlansInHand {
  private readonly byClient = new Map<string, number>();

  /** @throws ApiError `TOO_MANY_REQUESTS` where the client waits for {@link MOST_OF_CLIENT} plans already */
  async run<Plan>({ apiKeyName, address }: Caller, make: () => Promise<Plan>): Promise<Plan> {
    const client = `${apiKeyName} ${address}`;
    const inHand = this.byClient.get(client) ?? 0;
    if (inHand >= MOST_OF_CLIENT) {
      throw new ApiError('TOO_MANY_REQUESTS', 'Wait for the plans that you asked for before', RETRY_AFTER_SECONDS);
    }
    this.byClient.set(client, inHand + 1);
    try {
      return await make();
    } finally {
      const others = (this.byClient.get(client) ?? 1) - 1;
      if (others > 0) this.byClient.set(client, others);
      else this.byClient.delete(client);
    }
  }
}
