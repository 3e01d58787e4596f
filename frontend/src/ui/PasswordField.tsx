import { type KeyboardEvent, useState } from 'react';
import { useFullTexts } from '../i18n/screens.ts';
import { IconButton } from './Button.tsx';
import { Field } from './Field.tsx';
import { EyeIcon, EyeOffIcon } from './late-icons.tsx';
import styles from './PasswordField.module.css';

interface PasswordFieldProps {
  readonly label: string;
  readonly look?: 'plain' | 'tall';
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onLeave?: () => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly rule: string | undefined;
  readonly error: string | undefined;
}

/** A password that can be shown, with a hint while Caps Lock is on. */
export function PasswordField({ value, onChange, onLeave, rule, error, ...input }: PasswordFieldProps) {
  const text = useFullTexts();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);

  function onKey(event: KeyboardEvent): void {
    setCapsLock(event.getModifierState('CapsLock'));
  }

  return (
    <div>
      <Field
        {...input}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
        onKeyUp={onKey}
        onBlur={() => {
          setCapsLock(false);
          onLeave?.();
        }}
        rule={rule}
        error={error}
        trailing={
          <IconButton
            label={shown ? text.auth.hidePassword : text.auth.showPassword}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </IconButton>
        }
      />
      <p className={styles.caps} role="status">
        {capsLock && text.auth.capsLock}
      </p>
    </div>
  );
}
