import type { TusApi } from './tus.ts';

/** Sends the small picture of a file; null: that failed, and the file is shown without. */
export async function sendPreview(
  tus: TusApi,
  { roomId, name, of }: { readonly roomId: number; readonly name: string; readonly of: string },
  preview: Blob,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const key = await tus.create({ roomId, name, of, type: preview.type, size: preview.size }, signal);
    const end = await tus.append(key, 0, await preview.arrayBuffer(), signal);
    return end === preview.size ? key : null;
  } catch {
    return null;
  }
}
