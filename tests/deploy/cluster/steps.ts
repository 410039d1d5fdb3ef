let step = 'begin';

/** Prints a step and its start. */
export function begin(what: string): void {
  step = what;
  console.log(`\n=== ${new Date().toISOString().slice(11, 19)} ${what}`);
}

/** The last step of {@link begin}. */
export function currentStep(): string {
  return step;
}
