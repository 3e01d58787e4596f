import { type Ref, useState } from 'react';
import { type Action, ActionMenu } from './ActionMenu.tsx';
import { Apart } from './Apart.tsx';
import { MoreIcon } from './late-icons.tsx';
import type { MenuPlace } from './place-menu.ts';

interface MoreMenuProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly className: string | undefined;
  /** A variant of its looks, for the style sheet. */
  readonly look?: string;
  readonly label: string;
  /** Whether Tab reaches it. */
  readonly active: boolean;
  readonly actions: readonly Action[];
}

/** A button on something within a message, with a menu of what one may do with it. */
export function MoreMenu({ ref, className, look, label, active, actions }: MoreMenuProps) {
  const [at, setAt] = useState<MenuPlace | null>(null);
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={className}
        data-look={look}
        tabIndex={active ? 0 : -1}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={at !== null}
        onClick={({ currentTarget }) => setAt({ box: currentTarget.getBoundingClientRect(), align: 'right' })}
      >
        <MoreIcon size={18} />
      </button>
      {at !== null && (
        <Apart>
          <ActionMenu label={label} at={at} actions={actions} onClose={() => setAt(null)} />
        </Apart>
      )}
    </>
  );
}
