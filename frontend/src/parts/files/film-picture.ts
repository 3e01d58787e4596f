/** A picture of a film, which stands for it until it is played. */

const WAITS_MS = 10_000;
/** Many films begin with a black picture. */
const AT_S = 1;

interface FilmPicture {
  readonly picture: ImageBitmap;
  readonly durationMs: number | undefined;
}

/** Null: the browser does not play such a film, or not in time. */
export async function pictureOfFilm(file: Blob): Promise<FilmPicture | null> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  const end = AbortSignal.timeout(WAITS_MS);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = address;
    await once(video, 'loadeddata', end);
    const { duration } = video;
    video.currentTime = Math.min(AT_S, Number.isFinite(duration) ? duration / 2 : 0);
    await once(video, 'seeked', end);
    const picture = await createImageBitmap(video);
    return { picture, durationMs: Number.isFinite(duration) ? Math.round(duration * 1000) : undefined };
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  }
}

/** Rejects when the film fails, or at the end of the wait. */
function once(video: HTMLVideoElement, name: 'loadeddata' | 'seeked', end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listeners = new AbortController();
    const settle = (done: () => void) => () => {
      listeners.abort();
      done();
    };
    const { signal } = listeners;
    video.addEventListener(name, settle(resolve), { signal });
    video.addEventListener('error', settle(reject), { signal });
    end.addEventListener('abort', settle(reject), { signal });
  });
}
