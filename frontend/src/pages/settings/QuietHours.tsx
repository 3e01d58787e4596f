import type { Quiet } from '../../../../client/index.ts';
import { QUIET_HOURS_MAX } from '../../../../protocol/limits.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime } from '../../i18n/time.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Select } from '../../ui/Select.tsx';
import panel from './Notifications.module.css';
import styles from './Settings.module.css';

const HOUR_MS = 3_600_000;
const SPANS = ['hour', 'evening', 'week'] as const;
type Span = (typeof SPANS)[number];
/** The days of the week from Monday; 0 is Sunday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];
/** A Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1, 12);
const FIRST = { day: 1, from: '22:00', to: '07:00' };

interface QuietProps {
  readonly quiet: Quiet;
  readonly onChange: (quiet: Quiet) => void;
}

/** No notifications from now on, until a time. */
export function QuietUntil({ quiet, onChange }: QuietProps) {
  const text = useText();
  const { notifications: texts } = useScreenTexts();
  const end = quiet.until === undefined ? 0 : Date.parse(quiet.until);
  const isQuiet = end > Date.now();
  const { until: _, ...rest } = quiet;
  return (
    <Select
      label={texts.quiet}
      value={isQuiet ? 'until' : 'off'}
      onChange={({ target }) => {
        const span = SPANS.find((one) => one === target.value);
        onChange(span === undefined ? rest : { ...rest, until: new Date(endOf(span)).toISOString() });
      }}
    >
      <option value="off">{texts.off}</option>
      {isQuiet && <option value="until">{texts.untilTime(fullTime(text, end))}</option>}
      {SPANS.map((span) => (
        <option key={span} value={span}>
          {texts[span]}
        </option>
      ))}
    </Select>
  );
}

function endOf(span: Span): number {
  const now = Date.now();
  if (span === 'hour') return now + HOUR_MS;
  if (span === 'week') return now + 7 * 24 * HOUR_MS;
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  return tomorrow.setHours(8, 0, 0, 0);
}

/** Hours of the week without notifications, in the user's time zone. */
export function QuietHours({ quiet, zone, onChange }: QuietProps & { readonly zone: string | null }) {
  const text = useText();
  const { notifications: texts } = useScreenTexts();
  const hours = quiet.hours ?? [];
  const name = (day: number) =>
    new Intl.DateTimeFormat(text.locale, { weekday: 'long', timeZone: 'UTC' }).format(
      SUNDAY + day * 24 * HOUR_MS,
    );
  const set = (next: typeof hours) => onChange({ ...quiet, hours: next });
  const change = (at: number, part: Partial<typeof FIRST>) =>
    set(hours.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset className={panel.choices}>
      <legend>{texts.hours}</legend>
      <p className={styles.hint}>{zone === null ? texts.noZone : texts.hoursHint(zone)}</p>
      {hours.map(({ day, from, to }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same.
        <div key={index} className={panel.hours} data-testid="quiet-hours">
          <select
            className={panel.control}
            aria-label={texts.day}
            value={day}
            onChange={({ target }) => change(index, { day: Number(target.value) })}
          >
            {DAYS.map((one) => (
              <option key={one} value={one}>
                {name(one)}
              </option>
            ))}
          </select>
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="time"
              className={panel.control}
              aria-label={texts[end]}
              value={end === 'from' ? from : to}
              // Empty while it is being typed.
              onChange={({ target }) => target.value !== '' && change(index, { [end]: target.value })}
            />
          ))}
          <IconButton
            label={texts.remove(`${name(day)} ${from}–${to}`)}
            onClick={() => set(hours.filter((_, other) => other !== index))}
          >
            <CloseIcon size={16} />
          </IconButton>
        </div>
      ))}
      {hours.length < QUIET_HOURS_MAX ? (
        <Button onClick={() => set([...hours, nextOf(hours)])}>{texts.add}</Button>
      ) : (
        <p className={styles.hint}>{texts.full(QUIET_HOURS_MAX)}</p>
      )}
    </fieldset>
  );
}

/** The same hours on the day after the last entry. */
function nextOf(hours: NonNullable<Quiet['hours']>): typeof FIRST {
  const last = hours.at(-1);
  return last === undefined ? FIRST : { ...last, day: (last.day + 1) % 7 };
}
