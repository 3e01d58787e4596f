/** The pages beside the list of rooms that are rarely opened: one file of the build. */
export { AdminPage } from '../pages/admin/AdminPage.tsx';
export { SetupPage } from '../pages/admin/SetupPage.tsx';
export { ResetPage } from '../pages/auth/ResetPage.tsx';
export { SignedInPage } from '../pages/auth/SignedInPage.tsx';
export { BrowsePage } from '../pages/browse/BrowsePage.tsx';
export { InvitePage } from '../pages/browse/InvitePage.tsx';
export { InboxPage } from '../pages/inbox/InboxPage.tsx';
export { SavedPage } from '../pages/saved/SavedPage.tsx';
export { SettingsPage } from '../pages/settings/SettingsPage.tsx';
export { ThreadsPage } from '../pages/threads/ThreadsPage.tsx';
