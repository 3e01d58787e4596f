import type { User } from '../../../client/index.ts';
import { AdminPage } from '../pages/admin/AdminPage.tsx';
import { SetupPage } from '../pages/admin/SetupPage.tsx';
import { ResetPage } from '../pages/auth/ResetPage.tsx';
import { SignedInPage } from '../pages/auth/SignedInPage.tsx';
import { BrowsePage } from '../pages/browse/BrowsePage.tsx';
import { InvitePage } from '../pages/browse/InvitePage.tsx';
import { InboxPage } from '../pages/inbox/InboxPage.tsx';
import { SavedPage } from '../pages/saved/SavedPage.tsx';
import { SearchPage } from '../pages/search/SearchPage.tsx';
import { SettingsPage } from '../pages/settings/SettingsPage.tsx';
import { ThreadsPage } from '../pages/threads/ThreadsPage.tsx';
import type { Route } from '../stores/route.ts';

interface LatePageProps {
  readonly route: Exclude<Route, { readonly page: 'home' | 'room' }>;
  readonly user: User;
}

/** The pages beside the list of rooms that are rarely opened: one file of the build. */
export function LatePage({ route, user }: LatePageProps) {
  switch (route.page) {
    case 'browse':
      return <BrowsePage />;
    case 'saved':
      return <SavedPage />;
    case 'threads':
      return <ThreadsPage />;
    case 'search':
      return <SearchPage />;
    case 'settings':
      return <SettingsPage user={user} section={route.section} />;
    case 'admin':
      return <AdminPage section={route.section} />;
    case 'inbox':
      return <InboxPage />;
    case 'invite':
      return <InvitePage code={route.code} />;
    case 'setup':
      return <SetupPage code={route.code} />;
    case 'reset':
      return <ResetPage code={route.code} />;
    case 'sign-in':
      return <SignedInPage user={user} />;
  }
}
