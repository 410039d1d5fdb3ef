import {
  type ValidateTokenRequest,
  type ValidateTokenResponse,
  validateToken,
  validateTokenRequestSchema,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';

/** `POST /validate-token`. Source: specification § 7. */
@Controller()
export class ValidateTokenController {
  constructor(
    private readonly requests: RequestClient,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
  ) {}

  @Post('validate-token')
  @HttpCode(200)
  validate(@Body({ schema: validateTokenRequestSchema }) body: ValidateTokenRequest): Promise<ValidateTokenResponse> {
    return this.requests.request(validateToken, body, this.configuration.REQUEST_TIMEOUT_MS);
  }
}
