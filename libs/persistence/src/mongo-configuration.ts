import { z } from 'zod';

/** Environment of a service that has a database; spread it into the service's own schema. */
export const mongoEnvironment = {
  /** Connection string with the service's own database name; a replica set, since transactions need one. */
  MONGO_URL: z.string().regex(/^mongodb(\+srv)?:\/\/.+\/[^/?]+/, 'must be a mongodb:// URL that names a database'),
} as const;
