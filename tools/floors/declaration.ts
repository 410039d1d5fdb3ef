import { z } from 'zod';

/** What is declared of one project. */
const projectSchema = z.strictObject({
  /** Every import that is neither a file of the project nor a package from elsewhere; `*` at the end stands for the rest. */
  uses: z.array(z.string()),
  /** The project's rooms, lowest floor first. A room is a folder of `src`, or a file of it without its extension. */
  floors: z.array(z.array(z.string())),
});

/** `floors.json`: the workspace's projects by their folder, and who may import what. */
export const declarationSchema = z.record(z.string(), projectSchema);

export type ProjectDeclaration = z.infer<typeof projectSchema>;
