import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** File that declares all service levels. */
export const SERVICE_LEVELS_FILE = join(
  import.meta.dirname,
  '../../charts/hyperevm-maker-bot/alerting/service-levels.yaml',
);

/** A service level objective over 30 days. */
export interface ServiceLevel {
  readonly name: string;
  /** Percentage. */
  readonly objective: number;
  readonly description: string;
  readonly alerting: { readonly annotations: { readonly title: string; readonly runbook_url: string } };
}

/** Every declared service level. */
export function serviceLevels(): readonly ServiceLevel[] {
  return (parse(readFileSync(SERVICE_LEVELS_FILE, 'utf8')) as { slos: ServiceLevel[] }).slos;
}
