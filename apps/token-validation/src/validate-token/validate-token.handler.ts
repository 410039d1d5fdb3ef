import { type ValidateTokenResponse, validateToken } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { TokenVerdictsService } from './token-verdicts.service.ts';

/** Answers `token.validate`. */
@Controller()
export class ValidateTokenHandler {
  constructor(private readonly verdicts: TokenVerdictsService) {}

  @HandleRequest(validateToken)
  validate({ tokenAddress, clientAddress }: z.output<typeof validateToken.request>): Promise<ValidateTokenResponse> {
    return this.verdicts.answer(tokenAddress, clientAddress);
  }
}
