import { type FormEvent, useState } from 'react';
import { DISPLAY_NAME_MAX } from '../../../../protocol/limits.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { lineError } from '../../ui/hidden-characters.ts';
import { useRequest } from '../../ui/use-loaded.ts';

interface ProfileDraft {
  readonly name: string;
  readonly zone: string;
}

/** What the user has typed of their profile, and its way to the server. */
export function useProfileForm(me: Me, onSaved: (me: Me) => void) {
  const screen = useScreenTexts();
  const [draft, setDraft] = useState<ProfileDraft>(() => ({
    name: me.display_name,
    zone: me.time_zone ?? here(),
  }));
  const [isSaved, setSaved] = useState(false);
  /** What is wrong with the name. */
  const [error, setError] = useState<string>();
  const { busy, run } = useRequest();

  function change(changed: Partial<ProfileDraft>): void {
    setDraft((before) => ({ ...before, ...changed }));
    setSaved(false);
    setError(undefined);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { name, zone } = draft;
    const wrong = lineError(screen, name, DISPLAY_NAME_MAX);
    if (wrong !== undefined) return setError(wrong);
    void run(async () => {
      onSaved(await peopleRequests().updateMe({ display_name: name.trim(), time_zone: zone }));
      setSaved(true);
    });
  }

  return { draft, error, isSaved, busy, change, submit };
}

/** The time zone of this device. */
export function here(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
