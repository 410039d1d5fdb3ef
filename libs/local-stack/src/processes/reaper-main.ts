/**
 * Runs beside a supervisor and outlives it briefly: when the supervisor has ended for any reason, it ends the processes
 * that the supervisor started. Each message names a process group that began or ended.
 */
const GRACE_MS = 5_000;
const groups = new Set<number>();

function signalAll(signal: NodeJS.Signals): void {
  for (const group of groups) {
    try {
      process.kill(-group, signal);
    } catch {
      groups.delete(group);
    }
  }
}

process.on('message', (message: { began?: number; ended?: number }) => {
  if (message.began) groups.add(message.began);
  if (message.ended) groups.delete(message.ended);
});

process.on('disconnect', () => {
  signalAll('SIGTERM');
  const end = performance.now() + GRACE_MS;
  const timer = setInterval(() => {
    for (const group of groups) {
      try {
        process.kill(-group, 0);
      } catch {
        groups.delete(group);
      }
    }
    if (groups.size > 0 && performance.now() < end) return;
    clearInterval(timer);
    signalAll('SIGKILL');
    process.exit(0);
  }, 50);
});

// The supervisor handles Ctrl-C and a closed terminal; this process ends with the supervisor.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
