import { useLayoutEffect } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { showToast } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { devicePush } from '../push/device-push.ts';
import styles from './AskBar.module.css';
import { answered, useAsking } from './asking.ts';

/** Asks whether notifications are wanted. Only after a Yes does the browser ask for its permission. */
export function AskBar() {
  const { notifications: texts } = useScreenTexts();
  const isAsking = useAsking((store) => store.isAsking);

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-asks', isAsking);
    return () => document.documentElement.removeAttribute('data-asks');
  }, [isAsking]);

  if (!isAsking) return null;

  function accept(): void {
    const userId = chat().user?.id;
    // Browsers ask for the permission only within a click.
    const turned = userId === undefined ? undefined : devicePush(userId).turnOn();
    answered();
    turned?.catch(() => showToast(texts.unreachable));
  }

  return (
    <section className={styles.bar} aria-label={texts.title} data-testid="ask-notifications">
      <p role="status">{texts.ask}</p>
      <Button look="primary" onClick={accept}>
        {texts.yes}
      </Button>
      <Button look="quiet" onClick={answered}>
        {texts.notNow}
      </Button>
    </section>
  );
}
