import { useScreenTexts } from '../../i18n/screens.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { Call } from './calls.ts';

interface CallQuestionProps {
  readonly call: Call;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Asks before a message calls many people. */
export function CallQuestion({ call, onSend, onClose }: CallQuestionProps) {
  const { completing } = useScreenTexts();
  return (
    <ConfirmDialog
      title={completing.notify(call.count)}
      hint={completing.notifyHint[call.room]}
      stay={completing.stay}
      confirm={completing.send}
      look="primary"
      onConfirm={onSend}
      onClose={onClose}
    />
  );
}
