import { type FormEvent, useState } from 'react';
import { STATUS_TEXT_MAX } from '../../../../protocol/limits.ts';
import type { Status } from '../../../../protocol/people.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { statusNow, usePeople } from '../../stores/people.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { lineError } from '../../ui/hidden-characters.ts';
import { useRequest } from '../../ui/use-loaded.ts';
import { endOf, type Preset, type Span } from './status-spans.ts';

interface StatusDraft {
  readonly emoji: string;
  readonly words: string;
  readonly span: Span;
}

/** The user's status as they write it, and its way to the server. `onDone`: the server has it. */
export function useStatusForm(onDone: () => void) {
  const screen = useScreenTexts();
  const [current] = useState(() => {
    const me = chat().user?.id ?? 0;
    return statusNow(usePeople.getState().profiles.get(me)?.status);
  });
  const [draft, setDraft] = useState<StatusDraft>(() => ({
    emoji: current?.emoji ?? '',
    words: current?.text ?? '',
    span: current?.until === undefined ? 'never' : 'kept',
  }));
  const [error, setError] = useState<string>();
  const { busy, run } = useRequest();

  function change(changed: Partial<StatusDraft>): void {
    setDraft((before) => ({ ...before, ...changed }));
    setError(undefined);
  }

  function send(status: Status | null): void {
    void run(async () => {
      await peopleRequests().updateMe({ status });
      onDone();
    });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wrong = lineError(screen, draft.words, STATUS_TEXT_MAX);
    if (wrong !== undefined) return setError(wrong);
    const [text, emoji] = [draft.words.trim(), draft.emoji.trim()];
    if (text === '' && emoji === '') return send(null);
    send(statusOf(emoji, text, endOf(draft.span, new Date(), current?.until)));
  }

  function choose({ emoji, span, name }: Preset): void {
    send(statusOf(emoji, screen.status.presets[name], endOf(span, new Date())));
  }

  return { current, draft, error, busy, change, submit, choose, clear: () => send(null) };
}

function statusOf(emoji: string, text: string, until: string | undefined): Status {
  return { text, ...(emoji !== '' && { emoji }), ...(until !== undefined && { until }) };
}
