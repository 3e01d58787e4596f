/** The pages beside the list of rooms that are rarely opened: one file of the build. */
export { AdminPage } from '../admin/AdminPage.tsx';
export { ResetPage } from '../admin/ResetPage.tsx';
export { InboxPage } from '../inbox/InboxPage.tsx';
export { BrowsePage } from './BrowsePage.tsx';
export { InvitePage } from './InvitePage.tsx';
export { SavedPage } from './SavedPage.tsx';
export { SettingsPage } from './SettingsPage.tsx';
export { SetupPage } from './SetupPage.tsx';
export { ThreadsPage } from './ThreadsPage.tsx';
