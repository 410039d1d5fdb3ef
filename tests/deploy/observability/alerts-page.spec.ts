import { expect, it } from 'vitest';
import { alertsPage } from './alerts-page.ts';

it('docs/alerts.md lists every alert (npm run docs:reference)', async () => {
  await expect(alertsPage()).toMatchFileSnapshot('../../../docs/alerts.md');
});
