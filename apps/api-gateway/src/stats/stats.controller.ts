import type { StatsResponse } from '@maker/contracts';
import { Controller, Get } from '@nestjs/common';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /stats`, polled by every landing page. Source: specification § 7. */
@Controller()
export class StatsController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Get('stats')
  stats(): Promise<StatsResponse> {
    return this.snapshot.currentStats();
  }
}
