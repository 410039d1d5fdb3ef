import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, type NatsOptions, Transport } from '@nestjs/microservices';
import type { Connection } from 'mongoose';

/**
 * Starts a service of a test, or who plays one, on a real NATS server. What is asked next finds it: the broker knows its subscriptions.
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

/** What a service sends to MongoDB in transactions while something is done: each command with its collection, such as 'insert inbox'. */
export async function transactionsOf(connection: Connection, work: () => Promise<unknown>): Promise<string[]> {
  const client = connection.getClient();
  const commands: string[] = [];
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
    const what = commandName === 'commitTransaction' ? '' : ` ${command[commandName]}`;
    if (command.autocommit === false) commands.push(`${commandName}${what}`);
  };
  client.on('commandStarted', note);
  try {
    await work();
  } finally {
    client.off('commandStarted', note);
  }
  return commands;
}
