import { expect, it } from 'vitest';
import { findYoungUses } from './find-young-uses.ts';
import { youngerApis } from './younger-apis.ts';

const apis = youngerApis();

it.each([
  ['AbortSignal.any([])', ['AbortSignal.any']],
  ['window.navigation.navigate("/")', ['navigation']],
  ['const { promise } = Promise.withResolvers()', ['Promise.withResolvers']],
  ['URL.parse(text); Object.groupBy([], key)', ['Object.groupBy', 'URL.parse']],
  ['requestIdleCallback(work)', ['requestIdleCallback']],
])('finds in %s what a named browser lacks', (script, found) => {
  expect(findYoungUses(script, apis)).toEqual(found);
});

it.each([
  'AbortSignal.timeout(1); URL.canParse(text); structuredClone({}); navigator.locks; new BroadcastChannel("a")',
  'if (typeof navigation === "object") navigation.navigate("/")',
  'const trace = "captureStackTrace" in Error ? Error.captureStackTrace : undefined',
  'const own = { navigation: 1 }; own.navigation; own.any',
])('accepts %s', (script) => {
  expect(findYoungUses(script, apis)).toEqual([]);
});
