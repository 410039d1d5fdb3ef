import type { Connection as MongooseConnection } from 'mongoose';

/** The service's one connection to Mongo. It is also the injection token: `connection: Connection`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: only mongoose creates instances
export abstract class Connection {}
export interface Connection extends MongooseConnection {}
