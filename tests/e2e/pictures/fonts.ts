/** Servers rarely have good system fonts: pictures use the best of these that is installed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFERRED = ['Inter', 'Roboto', 'Noto Sans', 'Liberation Sans'];

export interface Fonts {
  /** For the browser's environment. */
  readonly env: Record<string, string>;
  dispose(): Promise<void>;
}

export async function preferScreenFonts(): Promise<Fonts> {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-fonts-'));
  const file = join(folder, 'fonts.conf');
  await writeFile(file, configuration());
  return {
    env: { FONTCONFIG_FILE: file },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

function configuration(): string {
  const families = PREFERRED.map((name) => `<family>${name}</family>`).join('');
  const aliases = ['system-ui', 'sans-serif'].map(
    (family) => `<alias binding="strong"><family>${family}</family><prefer>${families}</prefer></alias>`,
  );
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    ...aliases,
    '</fontconfig>',
  ].join('\n');
}
