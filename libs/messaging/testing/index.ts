import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, type NatsOptions, Transport } from '@nestjs/microservices';
import type { Connection } from 'mongoose';

/**
 * Starts a test's service, or its fake, on a real NATS server. It waits until the broker knows the subscriptions.
 * @param module of the service @param options of the connection, with the queue
 */
export async function startServer(
  module: Parameters<typeof NestFactory.createMicroservice>[0],
  options: NonNullable<NatsOptions['options']>,
): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    transport: Transport.NATS,
    options,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  await app.unwrap<NatsConnection>().flush();
  return app;
}

/** The first command of a transaction in which the relay numbers events; it follows a commit at an unknown moment. */
const NUMBERING = 'find outbox';

/** Records the commands that a service sends to MongoDB in transactions during some work, such as 'insert inbox', without its relay's. */
export async function transactionsOf(connection: Connection, work: () => Promise<unknown>): Promise<string[]> {
  const client = connection.getClient();
  const commands: string[] = [];
  const transactions = new Set<string>();
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
    if (command.autocommit !== false) return;
    const line = `${commandName}${commandName === 'commitTransaction' ? '' : ` ${command[commandName]}`}`;
    const transaction = JSON.stringify([command.lsid, command.txnNumber]);
    if (command.startTransaction === true && line !== NUMBERING) transactions.add(transaction);
    if (transactions.has(transaction)) commands.push(line);
  };
  client.on('commandStarted', note);
  try {
    await work();
  } finally {
    client.off('commandStarted', note);
  }
  return commands;
}
