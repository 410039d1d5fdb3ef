// A user per service, with its own database and no other; `receipts` reads that of maker-executor as well, and cannot write it. Run once on the primary as an administrator, with a password
// for each in the environment:
//   API_GATEWAY_PASSWORD=… JOB_PASSWORD=… TOKEN_VALIDATION_PASSWORD=… PAYMENT_WATCHER_PASSWORD=… MAKER_EXECUTOR_PASSWORD=… RECEIPTS_PASSWORD=… WEBHOOK_SENDER_PASSWORD=… \
//     mongosh "mongodb://admin@mongodb-0.mongodb.mongodb/?replicaSet=rs0&authSource=admin" k8s/mongodb/users.js
// Connection string of a service, for its Secret: mongodb://job:…@mongodb-0.mongodb.mongodb/job?replicaSet=rs0&authSource=job

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
