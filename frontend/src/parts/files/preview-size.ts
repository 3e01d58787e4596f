/** The longer side of a small picture. */
const SIDE = 1280;

/** The size of the small picture of a picture, in its proportions. */
export function previewSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
