import { useDialogs } from '../stores/dialogs.ts';
import { CreateRoomDialog } from './CreateRoomDialog.tsx';

/** The dialog that is open, if any. */
export function Dialogs() {
  const { open, close } = useDialogs();
  switch (open.kind) {
    case 'create_room':
      return <CreateRoomDialog suggestion={open.suggestion} onCreated={open.onCreated} onClose={close} />;
    case 'switcher':
    case 'help':
    case 'none':
      return null;
  }
}
