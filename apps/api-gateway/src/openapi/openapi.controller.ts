import { Controller } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { Serves } from '../requests/serves.ts';
import { operatorDocument, visitorDocument } from './documents.ts';

/** `GET /openapi.json`, without an API key, and `GET /operator/openapi.json`. */
@Controller()
export class OpenApiController {
  private readonly visitors = visitorDocument();
  private readonly operators = operatorDocument();

  @Serves('getOpenApi')
  get(): Record<string, unknown> {
    return this.visitors;
  }

  @RequireScope('operator')
  @Serves('getOperatorOpenApi')
  getOfOperators(): Record<string, unknown> {
    return this.operators;
  }
}
