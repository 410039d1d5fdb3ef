import { attempt, isValidatedToken, type OpenJob, type ValidatedToken, type WizardPlace } from '@maker/web-kit';

/**
 * A step in an entry of the browser's history, which the browser writes to disk. So it contains only the job's id, never
 * the secret that stops the job.
 */
type StepEntry =
  | { readonly step: 'landing' | 'token' }
  | { readonly step: 'amount'; readonly token: ValidatedToken }
  | { readonly step: 'payment'; readonly jobId: string };

/** The steps of the wizard as entries of the browser's history; their URL stays '/'. */
export class StepHistory {
  private readonly jobs = new Map<string, OpenJob>();
  private atLoad: string | undefined;
  private current: string | undefined;

  /**
   * @param recentJobs jobs of this browser, for an entry of an earlier page load
   * @param atLoad state of the entry at page load
   */
  constructor(
    private readonly recentJobs: () => readonly OpenJob[],
    atLoad: unknown,
  ) {
    this.atLoad = JSON.stringify(atLoad);
  }

  /** The place reached by Back or Forward before the wizard handled them; undefined if the visitor did not move. */
  missed(): WizardPlace | undefined {
    const { atLoad } = this;
    this.atLoad = undefined;
    return atLoad && atLoad !== JSON.stringify(history.state) ? this.arrived() : undefined;
  }

  /** Writes the wizard's place to the history: to a new entry after a move, to the current one at first. */
  record(place: WizardPlace): void {
    if (place.step === 'payment') this.jobs.set(place.job.jobId, place.job);
    const entry = entryOf(place);
    const written = JSON.stringify(entry);
    if (written === this.current) return;
    const isFirst = this.current === undefined || readEntry(history.state) === undefined;
    this.current = written;
    // Safari refuses the 101st entry of 30 seconds.
    attempt(() => (isFirst ? history.replaceState(entry, '') : history.pushState(entry, '', '/')));
  }

  /** The place of the entry reached by Back or Forward; undefined if the entry is not the wizard's. */
  arrived(): WizardPlace | undefined {
    const entry = readEntry(history.state);
    const place = entry && this.placeOf(entry);
    if (place) this.current = JSON.stringify(entry);
    return place;
  }

  /** The job of the current entry if this browser has not stored it, as with blocked site data: its page can be opened again. */
  lostJob(): string | undefined {
    const entry = readEntry(history.state);
    return entry?.step === 'payment' && !this.placeOf(entry) ? entry.jobId : undefined;
  }

  private placeOf(entry: StepEntry): WizardPlace | undefined {
    if (entry.step !== 'payment') return entry;
    const job = this.jobs.get(entry.jobId) ?? this.recentJobs().find(({ jobId }) => jobId === entry.jobId);
    return job && { step: 'payment', job };
  }
}

function entryOf(place: WizardPlace): StepEntry {
  return place.step === 'payment' ? { step: 'payment', jobId: place.job.jobId } : place;
}

function readEntry(state: unknown): StepEntry | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { step, token, jobId } = state as Readonly<Record<string, unknown>>;
  if (step === 'landing' || step === 'token') return { step };
  if (step === 'amount' && isValidatedToken(token)) return { step, token };
  if (step === 'payment' && typeof jobId === 'string') return { step, jobId };
  return undefined;
}
