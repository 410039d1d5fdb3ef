import { returnFromHyperCore } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { HyperCoreSender } from '../send/hypercore-sender.ts';

/** Returns HYPE that was sent to a job's address on HyperCore, by an operator's command. */
@Controller()
export class ReturnFromHyperCoreHandler {
  constructor(private readonly sender: HyperCoreSender) {}

  @HandleRequest(returnFromHyperCore)
  async return(wanted: z.output<typeof returnFromHyperCore.request>) {
    return { outcome: await this.sender.send(wanted) };
  }
}
