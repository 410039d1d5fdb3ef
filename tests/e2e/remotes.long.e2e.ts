import { createJob } from './actions/jobs.ts';
import type { Screen } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';

const REMOTES = ['token', 'amount', 'payment', 'terms'] as const;

for (const dead of REMOTES) {
  test(`without '${dead}' the rest works, Retry recovers`, async ({ page, wizard, product, faults }) => {
    faults.provoke(new RegExp(`/remotes/${dead}/`));
    const files = `**/remotes/${dead}/**`;
    await page.route(files, (route) => route.abort('connectionrefused'));
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const message = page.getByRole('heading', { name: 'This part could not be loaded' });
    const retry = page.getByRole('button', { name: 'Retry' });
    const arrive = async (screen: Screen) => {
      if (screen !== dead) return expect(wizard.title(screen)).toBeVisible();
      await expect(message).toBeVisible();
      await retry.click();
      await expect(message).toBeFocused();
    };

    const job = await createJob(product);
    await wizard.returnTo(job);
    await arrive('payment');
    await wizard.back.click();
    await arrive('amount');
    await wizard.back.click();
    await arrive('token');
    await wizard.back.click();
    await arrive('landing');
    await page.getByRole('contentinfo').getByRole('link').click();
    await arrive('terms');
    await wizard.logo.click();
    await arrive('landing');

    if (dead === 'terms') await page.getByRole('contentinfo').getByRole('link').click();
    else {
      await page.getByText('Your recent jobs').click();
      await page.getByRole('button', { name: 'Open the job' }).click();
      const steps = ['payment', 'amount', 'token'] as const;
      for (const step of steps.slice(0, steps.indexOf(dead))) {
        await expect(wizard.title(step)).toBeVisible();
        await wizard.back.click();
      }
    }
    await expect(message).toBeVisible();
    await page.unroute(files);
    await retry.click();
    await expect(wizard.title(dead)).toBeFocused();
    expect(loads).toBe(1);
  });
}
