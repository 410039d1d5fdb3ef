import { type ValidateTokenRequest, type ValidateTokenResponse, validateToken } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { UnknownTokens } from '../rate-limit/unknown-tokens.ts';
import { BodyOf, Serves } from '../requests/serves.ts';

/** `POST /validate-token`. Source: specification § 7. */
@Controller()
export class ValidateTokenController {
  constructor(
    private readonly requests: RequestClient,
    private readonly tokens: UnknownTokens,
  ) {}

  @Serves('validateToken')
  async validate(
    @BodyOf('validateToken') body: ValidateTokenRequest,
    @CallerParam() caller: Caller,
  ): Promise<ValidateTokenResponse> {
    await this.tokens.admit(caller, body.tokenAddress);
    const verdict = await this.requests.request(validateToken, { ...body, clientAddress: caller.address });
    if (verdict.isValid) this.tokens.remember(body.tokenAddress);
    return verdict;
  }
}
