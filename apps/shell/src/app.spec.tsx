// @vitest-environment happy-dom
import {
  JobStore,
  keepDraft,
  type OpenJob,
  type ReadLink,
  readDraft,
  type ValidatedToken,
  type WizardPlace,
} from '@maker/web-kit';
import { apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from './app.tsx';
import { QuietReload } from './deployment/quiet-reload.ts';
import type { Page } from './path.ts';
import { queries } from './with-queries.tsx';
import { KeptPlace } from './wizard/kept-place.ts';
import { StepHistory } from './wizard/step-history.ts';

const TOKEN: ValidatedToken = {
  tokenAddress: `0x${'a'.repeat(40)}`,
  liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
};
const JOB: OpenJob = {
  jobId: 'job_1',
  token: TOKEN,
  paymentAddress: `0x${'b'.repeat(40)}`,
  paymentAmountWei: '500000000000000000',
  paymentDeadline: '2026-01-01T00:15:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** The real timer, outside the tests' fake clock. */
const realTimeout = globalThis.setTimeout;
const LINKED = `job_${'0'.repeat(32)}`;

/** Replace the remotes: each shows its name and calls the same callbacks as its step. */
const remotes = vi.hoisted(() => ({ token: {}, amount: {}, payment: {}, terms: {} }) as Record<string, object>);

vi.mock('./remotes/load-remote.ts', () => ({
  loadRemote: async (name: string) => remotes[name],
  loadedRemote: (name: string) => remotes[name],
}));

interface RemoteProps {
  onBack(): void;
  onHome(): void;
  onValidated(token: ValidatedToken): void;
  onJobCreated(job: OpenJob): void;
}

for (const [name, goOn] of Object.entries({
  token: ({ onValidated }: RemoteProps) => onValidated(TOKEN),
  amount: ({ onJobCreated }: RemoteProps) => onJobCreated(JOB),
  payment: ({ onHome }: RemoteProps) => onHome(),
  terms: () => undefined,
})) {
  remotes[name] = (props: RemoteProps) => (
    <section>
      <button type="button" onClick={props.onBack}>
        Back
      </button>
      <h1>{name}</h1>
      <button type="button" onClick={() => goOn(props)}>
        On
      </button>
    </section>
  );
}

interface Visit {
  readonly page?: Page;
  readonly start?: WizardPlace;
  readonly stats?: () => object | Promise<object>;
  readonly configuration?: object | null;
  readonly link?: ReadLink;
  /** The history entry that the visitor reaches by Back before the page has started. */
  readonly wentBackTo?: object;
  /** Answer of `GET /jobs/{jobId}/status`. */
  readonly status?: () => object;
}

/** Opens the site; with `configuration` null, `/config.json` fails. */
async function visit({
  page = 'wizard',
  start,
  stats = () => ({ jobs: { active: 0 } }),
  configuration = {},
  link,
  wentBackTo,
  status = () => errorAnswer(404, { message: 'Job not found' }),
}: Visit = {}) {
  history.replaceState(null, '', page === 'terms' ? '/terms' : '/');
  const { fetch, seen } = apiAnswering({ 'GET /stats': stats, [`GET /jobs/${LINKED}/status`]: status });
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input === '/config.json') {
      return configuration
        ? Response.json({ apiBaseUrl: 'http://api.test', apiKey: 'the-key', ...configuration })
        : errorAnswer(503, {});
    }
    return fetch(input, init);
  });
  const ignore = () => undefined;
  const steps = new StepHistory(() => [], history.state);
  if (wentBackTo) history.replaceState(wentBackTo, '');
  render(
    <App
      jobs={new JobStore(() => localStorage)}
      reload={new QuietReload(() => sessionStorage, ignore)}
      kept={
        new KeptPlace(
          () => sessionStorage,
          () => false,
        )
      }
      steps={steps}
      prerendered={page}
      start={start}
      link={link}
    />,
  );
  await pass(10);
  return { seen };
}

const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(ms > 100 ? 10 : 0);
  });
const title = () => screen.getByRole('heading', { level: 1 }).textContent;
/** Advances the clock until a condition is true. Fetches and imports meanwhile take real time, more of it on a slow machine. */
const eventually = async (isSo: () => boolean) => {
  for (let turn = 0; turn < 150 && !isSo(); turn++) {
    await pass(50);
    await act(() => new Promise((resolve) => realTimeout(resolve, 20)));
  }
};
const expectArrivalAt = async (name: string) => {
  await eventually(() => screen.queryByRole('heading', { level: 1 })?.textContent === name);
  expect(title()).toBe(name);
};
const tile = (label: string) => screen.getByText(label, { selector: 'dt, .stat__label' }).parentElement?.textContent;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  localStorage.clear();
  queries.clear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});

it('stays usable when the browser refuses history entries', async () => {
  vi.spyOn(console, 'info').mockReturnValue();
  const refused = () => {
    throw new DOMException('100 entries in 30 seconds', 'SecurityError');
  };
  vi.spyOn(history, 'pushState').mockImplementation(refused);
  vi.spyOn(history, 'replaceState').mockImplementationOnce(() => undefined);
  await visit();
  press('START');
  await expectArrivalAt('token');
  press('On');
  await expectArrivalAt('amount');
  vi.restoreAllMocks();
});

describe('a link to a job', () => {
  const stored = () => localStorage.getItem('hyperevm-maker.jobs') ?? '';
  const status = () => ({
    jobId: LINKED,
    status: 'active',
    paymentReceived: true,
    paymentAddress: JOB.paymentAddress,
    paymentAmount: 0.5,
    paymentAmountWei: JOB.paymentAmountWei,
    paymentDeadline: JOB.paymentDeadline,
    receivedWei: JOB.paymentAmountWei,
    lateWei: '0',
    flags: { underpaid: false, overpaid: false, late: false },
    tokenAddress: TOKEN.tokenAddress,
    createdAt: JOB.createdAt,
  });

  it('opens its page without the power to stop it', async () => {
    await visit({ link: { jobId: LINKED }, status });
    await expectArrivalAt('payment');
    // A shared job joins no list of this browser.
    expect(stored() ?? '').not.toContain(LINKED);
  });

  it('changes nothing in the visitor’s own list', async () => {
    const known = { ...JOB, jobId: LINKED, stopSecret: 'stop_known' };
    localStorage.setItem('hyperevm-maker.jobs', JSON.stringify({ jobs: [known] }));
    await visit({ link: { jobId: LINKED } });
    await expectArrivalAt('payment');
    expect(stored()).toContain('stop_known');
  });

  it('leads an unknown job to the start', async () => {
    await visit({ link: { jobId: LINKED } });
    await expectArrivalAt('There is no such job');
    press('Go to the start');
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });

  it('leads a truncated link to the start', async () => {
    await visit({ link: 'incomplete' });
    await expectArrivalAt('There is no such job');
    press('Go to the start');
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });

  it('offers retry and home for an unknown path', async () => {
    await visit({ link: { jobId: LINKED }, status: () => errorAnswer(503, {}) });
    await expectArrivalAt('This part could not be loaded');
    press('Back');
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });
});

describe('the landing (specification § 2)', () => {
  it('has headline, sub-line and a START button', async () => {
    await visit();
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
    expect(screen.getByText(/^Micro-level activity/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/log ?in|sign ?in|connect wallet/i);
    press('START');
    await pass(310);
    expect(title()).toBe('token');
  });

  it('has three tiles: bots, latest token, network', async () => {
    const tokenAddress = '0x1234567890123456789012345678901234567890';
    await visit({ stats: () => ({ jobs: { active: 7 }, latestJob: { tokenAddress } }) });
    expect(tile('Network')).toContain('HyperEVM Online');
    await eventually(() => tile('Active Bots') === 'Active Bots7');
    expect(tile('Active Bots')).toContain('7');
    expect(tile('Latest Job')).toContain('#0x123...90');
    expect(tile('Network')).toContain('HyperEVM Online');
  });

  it("shows 'No recent jobs' only for such an answer", async () => {
    let answer: ((stats: object) => void) | undefined;
    await visit({ stats: () => new Promise<object>((resolve) => (answer = resolve)) });
    await eventually(() => answer !== undefined);
    expect(tile('Latest Job')).not.toContain('No recent jobs');
    answer?.({ jobs: { active: 0 } });
    await pass(10);
    expect(tile('Latest Job')).toContain('No recent jobs');
  });

  it('fetches stats every 30 s and keeps old ones', async () => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    let stats: () => object = () => ({ jobs: { active: 7 } });
    const { seen } = await visit({ stats: () => stats() });
    const calls = () => seen.filter(({ call }) => call === 'GET /stats').length;
    await eventually(() => tile('Active Bots') === 'Active Bots7');
    expect(calls()).toBe(1);
    await pass(29_000);
    expect(calls()).toBe(1);
    stats = () => errorAnswer(500, { error: 'E', message: 'M' });
    await pass(1_000);
    expect(calls()).toBe(2);
    expect(logged).toHaveBeenCalledWith('The stats could not be read:', expect.anything());
    expect(tile('Active Bots')).toContain('7');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('every page (specification § 2)', () => {
  it.each([
    ['the operator’s links in a new tab', ['https://x.com/maker', 'https://t.me/maker']],
    ['one link if the operator has one', ['https://x.com/maker', '']],
    ['no link that the operator has not configured', ['', '']],
  ])('has %s', async (_, [socialUrl, messagingUrl]) => {
    await visit({ configuration: { socialUrl, messagingUrl } });
    const shown = () => [...screen.getByRole('banner').querySelectorAll('a[target="_blank"]')];
    const configured = [socialUrl, messagingUrl].filter((url) => url !== '');
    await eventually(() => shown().length === configured.length);
    expect(shown().map((link) => link.getAttribute('href'))).toEqual(configured);
  });

  it('rereads the configuration when the visitor returns', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    let reads = 0;
    await visit({ configuration: null });
    vi.stubGlobal('fetch', async (input: string) => {
      if (input !== '/config.json') return errorAnswer(503, {});
      reads += 1;
      return Response.json({ apiBaseUrl: 'http://api.test', apiKey: 'the-key', appName: 'Renamed Bot' });
    });
    document.dispatchEvent(new Event('visibilitychange'));
    await eventually(() => document.title === 'Renamed Bot');
    expect(document.title).toBe('Renamed Bot');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(reads).toBe(1);
  });

  it('has a footer with an in-page /terms link', async () => {
    await visit();
    const footer = screen.getByRole('contentinfo');
    expect(footer.textContent).toBe('By continuing, you accept our Terms of Service');
    fireEvent.click(screen.getByRole('link', { name: 'Terms of Service' }));
    await pass(10);
    expect(location.pathname).toBe('/terms');
    expect(title()).toBe('terms');
  });

  it('is called HyperEVM Maker Bot by default', async () => {
    await visit();
    expect(document.title).toBe('HyperEVM Maker Bot');
    expect(within(screen.getByRole('banner')).getByRole('button').textContent).toBe('HyperEVM Maker Bot');
  });

  it('returns to the landing by its logo', async () => {
    await visit({ page: 'terms' });
    expect(title()).toBe('terms');
    press('HyperEVM Maker Bot');
    await pass(310);
    expect(location.pathname).toBe('/');
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });
});

describe('the wizard (specification §§ 2 and 4)', () => {
  it('goes landing, token, amount, payment, and Back', async () => {
    await visit();
    press('START');
    await pass(310);
    for (const step of ['token', 'amount']) {
      expect(title()).toBe(step);
      press('On');
      await pass(310);
    }
    for (const step of ['payment', 'amount', 'token']) {
      expect(title()).toBe(step);
      press('Back');
      await pass(310);
    }
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });

  it.each([
    ['keeps the input', null, '0x12'],
    ['forgets what a job was made of', { content: '', job: JOB }, undefined],
  ])('START %s', async (_, made, kept) => {
    await visit();
    keepDraft('token', '0x12');
    keepDraft('job', made);
    press('START');
    expect(readDraft('token')).toBe(kept);
  });

  it('follows Back pressed before its start', async () => {
    await visit({ start: { step: 'token' }, wentBackTo: { step: 'amount', token: TOKEN } });
    await eventually(() => title() === 'amount');
    expect(history.state).toEqual({ step: 'amount', token: TOKEN });
  });

  it('leads home from an unknown job', async () => {
    await visit({ start: { step: 'payment', job: JOB } });
    press('On');
    await pass(310);
    expect(title()).toBe('Boosted Activity. Increased Visibility.');
  });

  it('fades a step out for 300 ms', async () => {
    await visit();
    press('START');
    const leaving = () => document.querySelector('[data-step="landing"]')?.hasAttribute('data-leaving');
    expect(leaving()).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(299));
    expect(leaving()).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(leaving()).toBeUndefined();
    expect(title()).toBe('token');
  });

  it('keeps step and job across a reload', async () => {
    await visit({ start: { step: 'amount', token: TOKEN } });
    expect(JSON.parse(sessionStorage.getItem('hyperevm-maker.place') ?? '')).toEqual({ step: 'amount', token: TOKEN });
    press('On');
    expect(JSON.parse(sessionStorage.getItem('hyperevm-maker.place') ?? '')).toEqual({ step: 'payment', job: JOB });
    expect(new JobStore(() => localStorage).openJob()).toEqual(JOB);
  });
});
