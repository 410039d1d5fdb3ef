import type { Connection as MongooseConnection } from 'mongoose';

/** The service's one connection to Mongo, by which it is injected too: `connection: Connection`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: mongoose makes it, and nobody else
export abstract class Connection {}
export interface Connection extends MongooseConnection {}
