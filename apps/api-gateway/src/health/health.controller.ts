import type { HealthResponse } from '@maker/contracts';
import { Readiness } from '@maker/service-kit';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Serves } from '../requests/serves.ts';

/** `GET /healthz`, without an API key: 503 while the API cannot work, without the reason. Source: specification § 7. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Serves('getHealth')
  async health(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthResponse> {
    const { ready } = await this.readiness.report();
    void reply.code(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable' };
  }
}
