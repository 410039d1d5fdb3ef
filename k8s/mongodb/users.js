// The same users as in mongodb.yaml, for a MongoDB that the operator does not run: a user of each service with its own database; `receipts` reads that of
// maker-executor as well, and cannot write it. Run it once on the primary as an administrator, with the passwords of your Secret in the environment:
//   for service in api-gateway token-validation job payment-watcher maker-executor receipts webhook-sender; do
//     export "$(echo "$service" | tr a-z- A-Z_)_PASSWORD=$(kubectl -n maker get secret maker-keys -o "jsonpath={.data.mongodb-$service}" | base64 -d)"
//   done
//   mongosh "mongodb://admin@…/?replicaSet=…&authSource=admin" k8s/mongodb/users.js

for (const database of [
  'api_gateway',
  'token_validation',
  'job',
  'payment_watcher',
  'maker_executor',
  'receipts',
  'webhook_sender',
]) {
  const password = process.env[`${database.toUpperCase()}_PASSWORD`];
  if (!password) throw new Error(`${database.toUpperCase()}_PASSWORD is missing`);
  db.getSiblingDB(database).createUser({
    user: database,
    pwd: password,
    roles: [
      { role: 'readWrite', db: database },
      ...(database === 'receipts' ? [{ role: 'read', db: 'maker_executor' }] : []),
    ],
  });
}
