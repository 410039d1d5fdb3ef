import {
  type OperatorCommandRequest,
  type OperatorCommandResponse,
  operatorCommandRequestSchema,
  type SignedCommand,
  signedCommandSchema,
} from '@maker/contracts';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { JobIdParam } from '../requests/validation.ts';
import { OperatorCommands } from './operator-commands.ts';

type Reply = Promise<OperatorCommandResponse>;

/** Operators' commands: each needs a key with the scope `operator` and a reason. */
@RequireScope('operator')
@Controller('operator')
export class OperatorCommandsController {
  constructor(private readonly commands: OperatorCommands) {}

  /** What moves money, lets it move or ends a job: signed by operators' own keys, which maker-executor checks. */
  @Post('commands')
  @HttpCode(200)
  command(@Body({ schema: signedCommandSchema }) signed: SignedCommand, @CallerParam() by: Caller): Reply {
    return this.commands.carryOutSigned(signed, by.apiKeyName);
  }

  @Post('jobs/:jobId/pause')
  @HttpCode(200)
  pause(
    @JobIdParam() jobId: string,
    @CommandBody() { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'pause', jobId, reason, operator: by.apiKeyName });
  }

  @Post('jobs/:jobId/rebroadcast')
  @HttpCode(200)
  rebroadcast(
    @JobIdParam() jobId: string,
    @CommandBody() { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'rebroadcast', jobId, reason, operator: by.apiKeyName });
  }

  @Post('jobs/:jobId/hypercore/look')
  @HttpCode(200)
  lookOnHyperCore(
    @JobIdParam() jobId: string,
    @CommandBody() { reason }: OperatorCommandRequest,
    @CallerParam() by: Caller,
  ): Reply {
    return this.commands.carryOut({ action: 'look_hypercore', jobId, reason, operator: by.apiKeyName });
  }

  @Post('pause')
  @HttpCode(200)
  pauseAll(@CommandBody() { reason }: OperatorCommandRequest, @CallerParam() by: Caller): Reply {
    return this.commands.carryOut({ action: 'pause_all', reason, operator: by.apiKeyName });
  }
}

/** The body of a command that needs no more than its reason. */
function CommandBody(): ParameterDecorator {
  return Body({ schema: operatorCommandRequestSchema });
}
