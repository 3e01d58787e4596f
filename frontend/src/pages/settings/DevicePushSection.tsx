import { useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { devicePush } from '../../parts/push/device-push.ts';
import { pushRequests } from '../../stores/push-requests.ts';
import { showToast } from '../../stores/toasts.ts';
import { NARROW, useMedia } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import panel from './Notifications.module.css';
import styles from './Settings.module.css';

/** Notifications on this device while no page is open: what the state means, and what can be done about it. */
export function DevicePushSection({ userId }: { readonly userId: number }) {
  const { notifications: texts } = useScreenTexts();
  const [push] = useState(() => devicePush(userId));
  const [state, setState] = useState(() => push.state());
  const [tested, setTested] = useState<string | null>(null);
  const { busy, run } = useRequest();
  // The title of the section is the first heading of a phone's page.
  const Title = useMedia(NARROW) ? 'h2' : 'h3';

  async function turnOn(): Promise<void> {
    try {
      await push.turnOn();
    } catch {
      // The server or the browser's push service is away.
      showToast(texts.unreachable);
    } finally {
      setState(push.state());
    }
  }

  async function turnOff(): Promise<void> {
    try {
      await push.turnOff();
    } finally {
      setState(push.state());
    }
  }

  return (
    <div className={panel.group}>
      <Title>{texts.device}</Title>
      <p className={styles.hint} data-testid="push-state">
        {texts.states[state]}
      </p>
      <div className={panel.buttons}>
        {state === 'off' && <Button onClick={() => void run(turnOn)}>{texts.turnOn}</Button>}
        {state === 'on' && <Button onClick={() => void run(turnOff)}>{texts.turnOff}</Button>}
        <Button
          aria-disabled={busy}
          onClick={() =>
            void run(async () => {
              const { testTitle: title, testBody: body } = texts;
              setTested(texts.tested(await pushRequests().sendTest({ title, body })));
            })
          }
        >
          {texts.test}
        </Button>
        <span className={styles.hint} role="status">
          {tested}
        </span>
      </div>
    </div>
  );
}
