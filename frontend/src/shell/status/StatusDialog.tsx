import { useEffect, useRef, useState } from 'react';
import { STATUS_TEXT_MAX } from '../../../../protocol/limits.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { untilTime } from '../../i18n/time.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { isTouch } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './StatusDialog.module.css';
import { StatusEmoji } from './StatusEmoji.tsx';
import { PRESETS, SPANS } from './status-spans.ts';
import { useStatusForm } from './use-status-form.ts';

/** What the user is doing: one of the presets with a press, or words and an emoji of their own. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const { status: texts } = useScreenTexts();
  const [anchor] = useState(() => {
    const { open } = useDialogs.getState();
    return open.kind === 'status' ? open.anchor : null;
  });
  const { current, draft, error, busy, change, submit, choose, clear } = useStatusForm(onClose);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // The keyboard of a touch screen would cover the presets.
    if (isTouch()) field.current?.closest('dialog')?.focus();
    else field.current?.focus();
  }, []);

  return (
    <Popover
      anchor={anchor}
      onClose={onClose}
      aria-labelledby="status-title"
      tabIndex={-1}
      data-testid="status"
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <h2 id="status-title" className={styles.title}>
          {texts.title}
        </h2>
        <div className={styles.pair}>
          <StatusEmoji emoji={draft.emoji} onChange={(emoji) => change({ emoji })} />
          <Field
            ref={field}
            label={texts.words}
            maxLength={STATUS_TEXT_MAX}
            autoComplete="off"
            value={draft.words}
            onChange={({ target }) => change({ words: target.value })}
            error={error}
          />
        </div>
        <Spans chosen={draft.span} kept={current?.until} onChoose={(span) => change({ span })} />
        <div className={styles.actions}>
          {current !== null && (
            <Button aria-disabled={busy} onClick={clear}>
              {texts.clear}
            </Button>
          )}
          <Button look="primary" type="submit" aria-disabled={busy}>
            {texts.save}
          </Button>
        </div>
        <ul className={styles.presets} aria-label={texts.suggested}>
          {PRESETS.map((preset) => (
            <li key={preset.name}>
              <button type="button" aria-disabled={busy} onClick={() => choose(preset)}>
                <span className={styles.sign}>{preset.emoji}</span>
                <span className={styles.words}>{texts.presets[preset.name]}</span>
                <span className={styles.span}>{texts.spans[preset.span]}</span>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Popover>
  );
}

interface SpansProps {
  readonly chosen: (typeof SPANS)[number];
  /** When the present status ends. */
  readonly kept: string | undefined;
  readonly onChoose: (span: (typeof SPANS)[number]) => void;
}

function Spans({ chosen, kept, onChoose }: SpansProps) {
  const text = useText();
  const { status: texts } = useScreenTexts();
  return (
    <Select
      label={texts.until}
      value={chosen}
      onChange={({ target }) => onChoose(SPANS.find((span) => span === target.value) ?? 'never')}
    >
      {SPANS.map((span) => {
        if (span !== 'kept')
          return (
            <option key={span} value={span}>
              {texts.spans[span]}
            </option>
          );
        if (kept === undefined) return null;
        return (
          <option key={span} value={span}>
            {untilTime(text, Date.parse(kept), Date.now())}
          </option>
        );
      })}
    </Select>
  );
}
