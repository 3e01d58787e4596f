import { useState } from 'react';
import { useScreenTexts } from '../i18n/screens.ts';
import { localStore } from '../stores/device.ts';
import { KeptText } from './KeptText.tsx';

/** In place of a composer: the draft that was in it, if any. `draftKey`: the key on the device. */
export function KeptDraft({ draftKey }: { readonly draftKey: string }) {
  const { kept } = useScreenTexts();
  const [content] = useState(() => localStore.getItem(draftKey) ?? '');
  return content.trim() === '' ? null : <KeptText title={kept.again} content={content} />;
}
