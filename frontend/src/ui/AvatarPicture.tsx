import { useEffect, useState } from 'react';
import { filePath } from '../../../client/index.ts';
import { chat } from '../stores/chat.ts';
import styles from './AvatarPicture.module.css';
import { useAddress } from './use-address.ts';

/**
 * The picture of a person, over their initials. They are seen until it is decoded, and where it cannot be loaded; it is
 * tried again once the connection is back.
 */
export function AvatarPicture({ picture }: { readonly picture: string }) {
  const { address, retry } = useAddress(filePath(picture, 'avatar'));
  const [state, setState] = useState<'loading' | 'decoded' | 'failed'>('loading');
  const hasFailed = state === 'failed';

  useEffect(() => (hasFailed ? chat().line.on('open', () => setState('loading')) : undefined), [hasFailed]);

  if (hasFailed || address === null) return null;
  return (
    <img
      className={styles.picture}
      data-decoded={state === 'decoded'}
      src={address}
      alt=""
      decoding="async"
      loading="lazy"
      draggable={false}
      onLoad={({ currentTarget }) =>
        currentTarget.decode().then(
          () => setState('decoded'),
          () => setState('failed'),
        )
      }
      onError={() => retry() || setState('failed')}
    />
  );
}
