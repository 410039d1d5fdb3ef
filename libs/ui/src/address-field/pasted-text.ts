/** Zero-width and joining characters, marks of direction, soft hyphens, byte order marks, control characters. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** A pasted address or code without spaces around it and without characters that nobody sees, which documents and chats add. */
export function pastedText(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}
