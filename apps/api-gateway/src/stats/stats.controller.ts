import { Controller, Header, Headers, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { edgeCopyOf } from '../requests/edge-copy.ts';
import { JSON_TYPE } from '../requests/json-type.ts';
import { Serves } from '../requests/serves.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /stats`, polled by every landing page. Source: specification § 7. */
@Controller()
export class StatsController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Serves('getStats')
  @Header('content-type', JSON_TYPE)
  async stats(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-none-match') asked?: string,
  ): Promise<string | undefined> {
    const body = await this.snapshot.currentStats();
    const { headers, isHeldBy } = edgeCopyOf(body);
    void reply.headers(headers);
    if (!isHeldBy(asked)) return body;
    void reply.code(HttpStatus.NOT_MODIFIED);
    return undefined;
  }
}
