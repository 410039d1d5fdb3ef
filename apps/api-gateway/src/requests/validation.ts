import { jobIdSchema } from '@maker/contracts';
import { Param, type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import { ApiError } from '../errors/api-error.ts';

function fieldOf(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
}

/** Validates bodies and queries by the zod schema of their parameter. An invalid one gets 400 with the name of each field. */
export function validationPipe(): StandardSchemaValidationPipe {
  return new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => {
      const problems = issues.map(({ path, message }) => (path?.length ? `${fieldOf(path)}: ${message}` : message));
      return new ApiError('INVALID_REQUEST', problems.join('; '));
    },
  });
}

/** A malformed job id gets the answer of an unknown job. */
const jobIdPipe: PipeTransform<unknown, string> = {
  transform(value) {
    const parsed = jobIdSchema.safeParse(value);
    if (!parsed.success) throw new ApiError('JOB_NOT_FOUND', 'No job has this id');
    return parsed.data;
  },
};

/** The `:jobId` of a path. */
export const JobIdParam = () => Param('jobId', jobIdPipe);
