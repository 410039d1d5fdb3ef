/** Whether a NATS subject falls under a pattern such as 'job.>' or '*.events.list'. */
export function covers(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  for (const [position, token] of wanted.entries()) {
    if (token === '>') return given.length > position;
    if (given[position] === undefined || (token !== '*' && token !== given[position])) return false;
  }
  return given.length === wanted.length;
}
