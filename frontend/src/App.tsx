import { useEffect } from 'react';
import { AuthCard } from './auth/AuthCard.tsx';
import { useText } from './i18n/catalogue.ts';
import { Shell } from './shell/Shell.tsx';
import { useSession } from './stores/session.ts';

/** The whole client: outside or inside. Another user gets a shell of their own. */
export function App() {
  const session = useSession();
  const text = useText();

  useEffect(() => {
    document.documentElement.lang = text.locale;
  }, [text]);

  if (session.status === 'signed_out') return <AuthCard reason={session.reason} />;
  return <Shell key={session.user.id} user={session.user} />;
}
