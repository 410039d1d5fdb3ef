import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { LiveChannel } from './live-channel.ts';

/** Headers that forbid proxies to cache, compress or buffer the stream. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-cache, no-store, must-revalidate, max-age=0, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * `GET /jobs/{jobId}/events`: server-sent events named `status` with the body of `GET /jobs/{jobId}/status`. The
 * browser uses fetch, because EventSource cannot send the API key header.
 */
@Controller()
export class LiveChannelController {
  constructor(private readonly channel: LiveChannel) {}

  @Serves('followJob')
  events(@JobIdParam() jobId: string, @CallerParam() { address }: Caller, @Res() reply: FastifyReply): Promise<void> {
    return this.channel.open(jobId, address, () => {
      reply.headers(STREAM_HEADERS).hijack();
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
      return reply.raw;
    });
  }
}
