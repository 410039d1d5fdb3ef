import {
  type ChangeReturnAddressRequest,
  type ChangeReturnAddressResponse,
  changeReturnAddress,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { BodyOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';

/** `POST /jobs/{jobId}/return-address`: the payer names another wallet before they pay. */
@Controller()
export class ChangeReturnAddressController {
  constructor(private readonly requests: RequestClient) {}

  @Serves('changeReturnAddress')
  change(
    @JobIdParam() jobId: string,
    @BodyOf('changeReturnAddress') body: ChangeReturnAddressRequest,
  ): Promise<ChangeReturnAddressResponse> {
    return this.requests.request(changeReturnAddress, { ...body, jobId });
  }
}
