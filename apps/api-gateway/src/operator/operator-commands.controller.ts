import type {
  OperatorCommandRequest,
  OperatorCommandResponse,
  RedeliverRequest,
  SignedCommand,
} from '@maker/contracts';
import { Controller } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { BodyOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { OperatorCommands } from './operator-commands.ts';

type Reply = Promise<OperatorCommandResponse>;

/** Operators' commands. Each needs a key with the scope `operator` and a reason. */
@RequireScope('operator')
@Controller()
export class OperatorCommandsController {
  constructor(private readonly commands: OperatorCommands) {}

  /** Commands that move money, allow it to move, or end a job. Operators sign them, and maker-executor checks the signatures. */
  @Serves('carryOutCommand')
  command(@BodyOf('carryOutCommand') signed: SignedCommand, @CallerParam() by: Caller): Reply {
    return this.commands.carryOutSigned(signed, by.apiKeyName);
  }

  @Serves('pauseJob')
  pause(
    @JobIdParam() jobId: string,
    @BodyOf('pauseJob') { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'pause', jobId, reason, operator: by.apiKeyName });
  }

  @Serves('rebroadcastJob')
  rebroadcast(
    @JobIdParam() jobId: string,
    @BodyOf('rebroadcastJob') { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'rebroadcast', jobId, reason, operator: by.apiKeyName });
  }

  @Serves('findOnHyperCore')
  findOnHyperCore(
    @JobIdParam() jobId: string,
    @BodyOf('findOnHyperCore') { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'check_hypercore', jobId, reason, operator: by.apiKeyName });
  }

  @Serves('pauseAll')
  pauseAll(@BodyOf('pauseAll') { reason }: OperatorCommandRequest, @CallerParam() by: Caller): Reply {
    return this.commands.carryOut({ action: 'pause_all', reason, operator: by.apiKeyName });
  }

  @Serves('redeliverWebhooks')
  redeliver(
    @BodyOf('redeliverWebhooks') { reason, ...which }: RedeliverRequest,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Reply {
    return this.commands.redeliver(which, { operator, reason });
  }
}
