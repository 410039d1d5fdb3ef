import { Controller, type MessageEvent } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import { LiveChannel } from './live-channel.ts';

/**
 * `GET /jobs/{jobId}/events`: server-sent events named `status` with the body of `GET /jobs/{jobId}/status`. The
 * browser reads it by fetch, since EventSource cannot send the API key header.
 */
@Controller()
export class LiveChannelController {
  constructor(
    private readonly channel: LiveChannel,
    private readonly snapshot: StatusSnapshot,
  ) {}

  @Serves('followJob')
  async events(@JobIdParam() jobId: string, @CallerParam() caller: Caller): Promise<Observable<MessageEvent>> {
    // Before the stream begins an unknown job can still be answered with 404.
    await this.snapshot.payment(jobId);
    return this.channel.streamOf(jobId, caller.address);
  }
}
