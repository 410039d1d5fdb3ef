/**
 * Puts a text on the clipboard. Browsers offer the clipboard only to pages served by HTTPS or from localhost; elsewhere
 * a hidden field and the old copy command do it. @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'visually-hidden';
  field.setAttribute('aria-hidden', 'true');
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
