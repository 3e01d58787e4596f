/** The sound of a notification: two short notes, made by the browser. */

const NOTES_HZ = [660, 880];
const NOTE_S = 0.14;
const LOUDNESS = 0.06;

let context: AudioContext | null = null;

/** Plays it, where the browser allows sound: before the first click or key on a page, most do not. */
export async function playSound(): Promise<void> {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') await context.resume();
    for (const [index, hz] of NOTES_HZ.entries()) playNote(context, hz, context.currentTime + index * NOTE_S);
  } catch {
    // There is no sound device.
  }
}

function playNote(audio: AudioContext, hz: number, at: number): void {
  const [note, gain] = [audio.createOscillator(), audio.createGain()];
  note.frequency.value = hz;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_S);
  note.connect(gain).connect(audio.destination);
  note.start(at);
  note.stop(at + NOTE_S);
}
