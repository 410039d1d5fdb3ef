import { SEED_PROOF_WITHDRAWN_SUBJECT } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Announces each start to the job service, which then asks for a new proof: the seed may be another one. Source: docs/adr/0151. */
@Injectable()
export class AnnounceStartService implements OnApplicationBootstrap {
  constructor(@Inject(NATS_CONNECTION) private readonly nats: { publish(subject: string): void }) {}

  onApplicationBootstrap(): void {
    this.nats.publish(SEED_PROOF_WITHDRAWN_SUBJECT);
  }
}
