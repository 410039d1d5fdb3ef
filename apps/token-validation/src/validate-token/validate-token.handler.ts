import { type ValidateTokenRequest, type ValidateTokenResponse, validateToken } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { TokenVerdictsService } from './token-verdicts.service.ts';

/** Answers `token.validate`. */
@Controller()
export class ValidateTokenHandler {
  constructor(private readonly verdicts: TokenVerdictsService) {}

  @HandleRequest(validateToken)
  validate({ tokenAddress }: ValidateTokenRequest): Promise<ValidateTokenResponse> {
    return this.verdicts.answer(tokenAddress);
  }
}
