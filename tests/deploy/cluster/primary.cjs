// Exits with 0 while the MongoDB server on this machine is a primary, for images without mongosh. It sends `hello` in the wire protocol,
// since those images have no driver.
const { connect } = require('node:net');

const port = Number(process.argv[2] ?? 27017);
const OP_MSG = 2013;

const text = (value) => Buffer.from(`${value}\0`);
const int32 = (value) => Buffer.from(Int32Array.of(value).buffer);

/** BSON of `{ hello: 1, $db: 'admin' }`. */
function question() {
  const fields = [Buffer.of(0x10), text('hello'), int32(1), Buffer.of(0x02), text('$db'), int32(6), text('admin')];
  const body = Buffer.concat([...fields, Buffer.of(0)]);
  return Buffer.concat([int32(body.length + 4), body]);
}

/** A message: length, request id, id of the answered message, kind; then flags and a section with a document. */
function message(document) {
  const rest = Buffer.concat([int32(1), int32(0), int32(OP_MSG), int32(0), Buffer.of(0), document]);
  return Buffer.concat([int32(rest.length + 4), rest]);
}

const isPrimary = (answer) =>
  answer.includes(Buffer.concat([Buffer.of(0x08), text('isWritablePrimary'), Buffer.of(1)]));

const socket = connect(port, '127.0.0.1', () => socket.write(message(question())));
let answer = Buffer.alloc(0);
socket.on('data', (part) => {
  answer = Buffer.concat([answer, part]);
  if (answer.length < 4 || answer.length < answer.readInt32LE(0)) return;
  process.exit(isPrimary(answer) ? 0 : 1);
});
socket.on('error', () => process.exit(1));
