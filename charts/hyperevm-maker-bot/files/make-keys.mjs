// Makes the Secret with the keys of an evaluation. Keeps an existing Secret, since new keys would lose the wallets' money.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, NAME, NAMESPACE } = process.env;
const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
const secrets = `${server}/api/v1/namespaces/${NAMESPACE}/secrets`;
const headers = {
  authorization: `Bearer ${readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8')}`,
  'content-type': 'application/json',
};

const found = await fetch(`${secrets}/${NAME}`, { headers });
if (found.ok) {
  console.log(`Secret ${NAME} kept`);
} else if (found.status === 404) {
  const args = ['dist/main.js', 'secrets', '--name', NAME, '--namespace', NAMESPACE, '--operator', 'evaluator'];
  const made = await fetch(secrets, { method: 'POST', headers, body: execFileSync('/app/node', args) });
  if (!made.ok) throw new Error(`Secret ${NAME} not made: the API server answered ${made.status}`);
  console.log(`Secret ${NAME} made`);
} else {
  throw new Error(`Secret ${NAME} not read: the API server answered ${found.status}`);
}
