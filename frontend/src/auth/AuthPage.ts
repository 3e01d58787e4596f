import { lazyPart } from '../shell/lazy-part.tsx';

/** Signing in and up. A user with a session does not see it. */
export const AuthPage = lazyPart(async () => (await import('./AuthCard.tsx')).AuthCard);
