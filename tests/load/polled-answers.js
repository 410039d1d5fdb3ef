/**
 * Load of open pages on an installation: each page requests the statistics every 30 s, and a paying visitor's page its payment
 * every 10 s (specification § 9). For k6; see README.md.
 *
 * `k6 run -e API_URL=https://api.bot.example.com -e API_KEY=… -e VISITORS=1000 polled-answers.js`
 */
import { check } from 'k6';
import http from 'k6/http';

const { API_URL, API_KEY, JOB_IDS = '', VISITORS = '100', DURATION = '60s', MOST_MS = '250' } = __ENV;
if (!API_URL || !API_KEY) throw new Error('set API_URL to the API and API_KEY to the key of its pages');

const jobs = JOB_IDS.split(',').filter((id) => id !== '');
const visitors = Number(VISITORS);
const headers = { 'x-api-key': API_KEY };

/** Requests of each open page, by their interval in s. */
const requests = { statistics: 30, ...(jobs.length > 0 && { payments: 10 }) };

const scenarioOf = (name, seconds) => ({
  executor: 'constant-arrival-rate',
  exec: name,
  rate: visitors,
  timeUnit: `${seconds}s`,
  duration: DURATION,
  // Enough for answers that take a second.
  preAllocatedVUs: Math.ceil(visitors / seconds) + 1,
  maxVUs: visitors + 1,
});

export const options = {
  scenarios: Object.fromEntries(Object.entries(requests).map(([name, seconds]) => [name, scenarioOf(name, seconds)])),
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  thresholds: {
    ...Object.fromEntries(
      Object.keys(requests).map((name) => [`http_req_duration{scenario:${name}}`, [`p(99)<${MOST_MS}`]]),
    ),
    http_req_failed: ['rate<0.001'],
    checks: ['rate>0.999'],
    // Otherwise this machine is the bottleneck.
    dropped_iterations: ['count<1'],
  },
};

export function statistics() {
  const answer = http.get(`${API_URL}/stats`, { headers, tags: { name: '/stats' } });
  check(answer, { 'statistics answered': ({ status, body }) => status === 200 && JSON.parse(body).jobs.active >= 0 });
}

export function payments() {
  const jobId = jobs[Math.floor(Math.random() * jobs.length)];
  const answer = http.get(`${API_URL}/jobs/${jobId}/payment`, { headers, tags: { name: '/jobs/{id}/payment' } });
  check(answer, { 'payment answered': ({ status, body }) => status === 200 && JSON.parse(body).jobId === jobId });
}
