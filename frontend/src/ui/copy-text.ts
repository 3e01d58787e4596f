/** Puts a text on the clipboard; false when the browser does not allow it, as it does only in a secure context. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
