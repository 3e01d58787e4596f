import { useRef, useState } from 'react';
import type { User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { IconButton } from '../ui/Button.tsx';
import { CloseIcon, PlusIcon, SearchIcon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import { CreateRoomDialog } from './CreateRoomDialog.tsx';
import { MeMenu } from './MeMenu.tsx';
import { RoomList } from './RoomList.tsx';
import styles from './Sidebar.module.css';

interface SidebarProps {
  readonly user: User;
  readonly roomId: number | null;
}

/** The way to every room, and to oneself. */
export function Sidebar({ user, roomId }: SidebarProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const [creating, setCreating] = useState<string | null>(null);
  // Each page has one heading of the first level: a room's is its name.
  const Brand = roomId === null ? 'h1' : 'span';
  const search = useRef<HTMLInputElement>(null);

  function clear(): void {
    setQuery('');
    search.current?.focus();
  }

  return (
    <nav className={styles.sidebar} aria-label={text.sidebar.label}>
      <div className={styles.top}>
        <Logo size={24} />
        <Brand className={styles.brand}>{text.appName}</Brand>
        <IconButton label={text.sidebar.newRoom} onClick={() => setCreating('')}>
          <PlusIcon />
        </IconButton>
      </div>
      <div className={styles.search}>
        <SearchIcon size={16} />
        <input
          ref={search}
          type="search"
          aria-label={text.sidebar.search}
          placeholder={text.sidebar.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setQuery('');
          }}
        />
        {query !== '' && (
          <IconButton label={text.sidebar.clearSearch} onClick={clear}>
            <CloseIcon size={16} />
          </IconButton>
        )}
      </div>
      <RoomList query={query} roomId={roomId} onCreate={setCreating} />
      <MeMenu user={user} />
      {creating !== null && <CreateRoomDialog suggestion={creating} onClose={() => setCreating(null)} />}
    </nav>
  );
}
