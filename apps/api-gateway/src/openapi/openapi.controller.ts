import { Controller } from '@nestjs/common';
import { Serves } from '../requests/serves.ts';
import { openApiDocument } from './openapi-document.ts';

/** `GET /openapi.json`. */
@Controller()
export class OpenApiController {
  private readonly document = openApiDocument();

  @Serves('getOpenApi')
  get(): Record<string, unknown> {
    return this.document;
  }
}
