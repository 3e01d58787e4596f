/** Looks at a file before it is uploaded: its size as a picture, and a small picture of it. */
import type { FileLook } from '../../../../client/index.ts';
import { scriptPolicy } from '../updates/script-policy.ts';
import { pictureOfFilm } from './film-picture.ts';
import type { Looked } from './look-worker.ts';
import workerUrl from './look-worker.ts?worker&url';

const PICTURE = /^image\/(?:jpeg|png|gif|webp|avif|heic|heif)$/;
const FILM = /^video\/(?:mp4|webm|quicktime)$/;
const WAITS_MS = 10_000;

/** Never rejects. Of what the browser cannot decode nothing is known. */
export async function look(file: Blob, type: string): Promise<FileLook> {
  if (PICTURE.test(type)) return await inWorker(file);
  if (!FILM.test(type)) return {};
  const film = await pictureOfFilm(file);
  if (film === null) return {};
  return { ...(await inWorker(film.picture)), duration_ms: film.durationMs };
}

function inWorker(looked: Looked): Promise<FileLook> {
  return new Promise((resolve) => {
    const worker = new Worker(scriptPolicy.createScriptURL(workerUrl), { type: 'module' });
    const end = (found: FileLook) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(found);
    };
    const timer = setTimeout(() => end({}), WAITS_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<FileLook>) => end(data));
    worker.addEventListener('error', () => end({}));
    worker.postMessage(looked, looked instanceof Blob ? [] : [looked]);
  });
}
