import { useMemo } from 'react';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { splitMessage } from './split-message.ts';

interface SendPartsProps {
  readonly content: string;
  readonly className: string | undefined;
  readonly onSend: (messages: readonly string[]) => void;
}

/** Sends a text that is too long for one message as several. */
export function SendParts({ content, className, onSend }: SendPartsProps) {
  const { composing } = useScreenTexts();
  const parts = useMemo(() => splitMessage(content, MESSAGE_CONTENT.max), [content]);
  if (parts.length === 0) return null;
  return (
    <button type="button" className={className} onClick={() => onSend(parts)}>
      {composing.sendParts(parts.length)}
    </button>
  );
}
