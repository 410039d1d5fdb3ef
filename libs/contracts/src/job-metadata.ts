import { z } from 'zod';

const MOST_ENTRIES = 20;
/** Most characters of a value, counted as JSON Schema counts them. */
const LONGEST_VALUE = 500;

const nameSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/);

const valueSchema = z
  .string('must be a string')
  .refine((value) => [...value].length <= LONGEST_VALUE, `must have at most ${LONGEST_VALUE} characters`)
  .meta({ maxLength: LONGEST_VALUE });

/**
 * An integrator's own references to a job, such as an order number. Its size is limited, because strangers write it and every
 * message about the job carries it. Source: docs/adr/0101.
 */
export const jobMetadataSchema = z
  .record(nameSchema, valueSchema, {
    error: ({ code }) =>
      code === 'invalid_key'
        ? 'must be named by a letter and up to 39 letters, digits, _ or -'
        : 'must be an object of strings',
  })
  .refine((entries) => Object.keys(entries).length <= MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`)
  .meta({
    description:
      'Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them.',
    examples: [{ orderId: '1234' }],
    maxProperties: MOST_ENTRIES,
  });
export type JobMetadata = z.infer<typeof jobMetadataSchema>;

/** One entry of metadata, by which jobs are searched. */
export const metadataEntrySchema = z
  .record(nameSchema, valueSchema, 'must be one entry, such as metadata[orderId]=1234')
  .refine((entries) => Object.keys(entries).length === 1, 'must have one entry')
  .meta({
    description: 'Only jobs with this entry of their metadata, such as `metadata[orderId]=1234`.',
    examples: [{ orderId: '1234' }],
    minProperties: 1,
    maxProperties: 1,
  });

/** Which API key created a job, and the job's metadata: part of each message of webhooks. */
export const jobCreatorSchema = z.object({
  apiKeyName: z.string().optional().describe('Name of the API key that created the job.'),
  metadata: jobMetadataSchema.optional(),
});
export type JobCreator = z.infer<typeof jobCreatorSchema>;
