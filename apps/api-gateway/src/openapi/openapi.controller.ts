import { Controller, Get } from '@nestjs/common';
import { Public } from '../access/access.decorators.ts';
import { openApiDocument } from './openapi-document.ts';

/** `GET /openapi.json`. */
@Controller()
export class OpenApiController {
  private readonly document = openApiDocument();

  @Public()
  @Get('openapi.json')
  get(): Record<string, unknown> {
    return this.document;
  }
}
