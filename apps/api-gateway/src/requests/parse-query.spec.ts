import { expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';

it.each([
  ['', {}],
  ['limit=5&status=active', { limit: '5', status: 'active' }],
  ['metadata[order]=A-1&metadata%5Bshop%5D=b', { metadata: { order: 'A-1', shop: 'b' } }],
  ['metadata[order]=A&metadata[order]=B', { metadata: { order: ['A', 'B'] } }],
  ['metadata=1&metadata[order]=A', { metadata: '1', 'metadata[order]': 'A' }],
  ['metadata=1&metadata=2&metadata[order]=A', { metadata: ['1', '2'], 'metadata[order]': 'A' }],
  ['metadata[]=1&a[b][c]=2', { 'metadata[]': '1', 'a[b][c]': '2' }],
  ['constructor[name]=x', { constructor: { name: 'x' } }],
])('reads the query %s', (text, fields) => {
  expect(JSON.parse(JSON.stringify(parseQuery(text)))).toEqual(fields);
});

it('changes no prototype', () => {
  const query = parseQuery('__proto__[admin]=1&a[__proto__]=1');
  expect(Object.getPrototypeOf(query)).toBeNull();
  expect(Object.keys(query)).toEqual(['__proto__', 'a']);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});
