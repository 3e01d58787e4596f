import { useScreenTexts } from '../i18n/screens.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';

/** In place of what failed to render. */
export function Broken() {
  const { broken, update } = useScreenTexts();
  return (
    <div role="alert" data-testid="broken">
      <Empty page title={broken.title} hint={broken.hint}>
        <Button look="primary" onClick={() => location.reload()}>
          {update.reload}
        </Button>
      </Empty>
    </div>
  );
}
