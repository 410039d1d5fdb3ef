import { z } from 'zod';

/** The declaration of one project. */
const projectSchema = z.strictObject({
  /** Every import other than the project's files and external packages; `*` at the end matches the rest. */
  uses: z.array(z.string()),
  /** The project's rooms, lowest floor first. A room is a folder of `src`, or a file of `src` without its extension. */
  floors: z.array(z.array(z.string())),
});

/** `floors.json`: the workspace's projects by folder, and their allowed imports. */
export const declarationSchema = z.record(z.string(), projectSchema);

export type ProjectDeclaration = z.infer<typeof projectSchema>;
