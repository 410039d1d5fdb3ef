import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { operatorDocument, visitorDocument } from '../../apps/api-gateway/src/openapi/documents.ts';

it.each([
  ['visitors', visitorDocument()],
  ['operators', operatorDocument()],
])('Redocly finds no fault in the document for %s', async (name, document) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: `/${name}.json`, config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
