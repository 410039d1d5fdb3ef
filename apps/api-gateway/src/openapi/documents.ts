import { OPERATOR_ENDPOINTS, VISITOR_ENDPOINTS } from '@maker/contracts';
import type { Json } from './named-schemas.ts';
import { openApiDocument } from './openapi-document.ts';

/** Version of the API, equal to that of the product (docs/integrate/versioning.md). */
const API_VERSION = '0.2.0';

const DESCRIPTION = 'Amounts in wei are decimal strings; times are ISO 8601 in UTC. Decide by the `code` of an error.';

/** The document of `GET /openapi.json`, for visitors and their programs. */
export const visitorDocument = (): Json =>
  openApiDocument({
    title: 'HyperEVM Maker Bot API',
    version: API_VERSION,
    description: DESCRIPTION,
    endpoints: VISITOR_ENDPOINTS,
    tags: {
      '/validate-token': { name: 'Plans', description: 'What a job would do, before a payment.' },
      '/plan': { name: 'Plans', description: 'What a job would do, before a payment.' },
      '/jobs': { name: 'Jobs', description: 'Create, watch and stop jobs, and get their receipts.' },
      '/': { name: 'Service', description: 'Figures and health of the service.' },
    },
    hasWebhooks: true,
  });

/** The document of `GET /operator/openapi.json`. */
export const operatorDocument = (): Json =>
  openApiDocument({
    title: 'HyperEVM Maker Bot operator API',
    version: API_VERSION,
    description: `${DESCRIPTION} Every operation needs a key with the scope \`operator\`.`,
    endpoints: OPERATOR_ENDPOINTS,
    tags: {
      '/operator': { name: 'Operation', description: 'Audit log, commands and pauses of all jobs.' },
      '/operator/jobs': { name: 'Jobs', description: 'Jobs with their timeline, ledger and commands.' },
      '/operator/webhooks': { name: 'Webhooks', description: 'Endpoints of webhooks and their messages.' },
    },
    hasWebhooks: false,
  });
