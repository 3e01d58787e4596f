import { type FormEvent, useState } from 'react';
import { DISPLAY_NAME_MAX, STATUS_TEXT_MAX } from '../../../../protocol/limits.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { lineError } from '../../ui/hidden-characters.ts';
import { useRequest } from '../../ui/use-loaded.ts';

/** When the status ends. `kept`: when it was to end before. */
export const UNTIL = ['never', 'hour', 'today', 'kept'] as const;
type Until = (typeof UNTIL)[number];

interface ProfileDraft {
  readonly name: string;
  readonly emoji: string;
  readonly status: string;
  readonly zone: string;
  readonly until: Until;
}

interface ProfileErrors {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
}

/** What the user has typed of their profile, and its way to the server. */
export function useProfileForm(me: Me, onSaved: (me: Me) => void) {
  const screen = useScreenTexts();
  const [draft, setDraft] = useState<ProfileDraft>(() => ({
    name: me.display_name,
    emoji: me.status?.emoji ?? '',
    status: me.status?.text ?? '',
    zone: me.time_zone ?? here(),
    until: me.status?.until === undefined ? 'never' : 'kept',
  }));
  const [isSaved, setSaved] = useState(false);
  const [errors, setErrors] = useState<ProfileErrors>({});
  const { busy, run } = useRequest();

  function change(changed: Partial<ProfileDraft>): void {
    setDraft((before) => ({ ...before, ...changed }));
    setSaved(false);
    setErrors({});
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { name, status, zone, until } = draft;
    const sign = draft.emoji.trim();
    const wrong = {
      name: lineError(screen, name, DISPLAY_NAME_MAX),
      status: lineError(screen, status, STATUS_TEXT_MAX),
    };
    if (wrong.name !== undefined || wrong.status !== undefined) return setErrors(wrong);
    const words = status.trim();
    void run(async () => {
      onSaved(
        await peopleRequests().updateMe({
          display_name: name.trim(),
          status:
            sign === '' && words === ''
              ? null
              : { text: words, ...(sign === '' ? {} : { emoji: sign }), ...endOf(until, me.status?.until) },
          time_zone: zone,
        }),
      );
      setSaved(true);
    });
  }

  return { draft, errors, isSaved, busy, change, submit };
}

/** The time zone of this device. */
export function here(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function endOf(until: Until, kept: string | undefined): { until?: string } {
  switch (until) {
    case 'never':
      return {};
    case 'hour':
      return { until: new Date(Date.now() + 3_600_000).toISOString() };
    case 'today':
      return { until: new Date(new Date().setHours(24, 0, 0, 0)).toISOString() };
    case 'kept':
      return kept === undefined ? {} : { until: kept };
  }
}
