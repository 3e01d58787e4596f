import { AuthCard } from './auth/AuthCard.tsx';
import { Shell } from './shell/Shell.tsx';
import { useSession } from './stores/session.ts';

/** The whole client: outside or inside. Another user gets a shell of their own. */
export function App() {
  const session = useSession();

  if (session.status === 'signed_out') return <AuthCard reason={session.reason} />;
  return <Shell key={session.user.id} user={session.user} />;
}
