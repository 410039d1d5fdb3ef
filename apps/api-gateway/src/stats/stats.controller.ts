import { Controller, Header } from '@nestjs/common';
import { JSON_TYPE } from '../requests/json-type.ts';
import { Serves } from '../requests/serves.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /stats`, polled by every landing page. Source: specification § 7. */
@Controller()
export class StatsController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Serves('getStats')
  @Header('content-type', JSON_TYPE)
  stats(): Promise<string> {
    return this.snapshot.currentStats();
  }
}
