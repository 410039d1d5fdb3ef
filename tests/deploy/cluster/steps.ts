let step = 'begin';

/** Tells what is being done, and when it began. */
export function begin(what: string): void {
  step = what;
  console.log(`\n=== ${new Date().toISOString().slice(11, 19)} ${what}`);
}

/** What {@link begin} told last. */
export function currentStep(): string {
  return step;
}
