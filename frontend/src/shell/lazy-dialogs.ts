import type { ComponentType } from 'react';

export type LazyDialog = ComponentType<{ readonly onClose: () => void }>;

/** Code that the first paint does not need. */
export const LAZY_DIALOGS = {
  new_dm: async (): Promise<LazyDialog> => (await import('./NewDmDialog.tsx')).NewDmDialog,
  invite_people: async (): Promise<LazyDialog> =>
    (await import('./InvitePeopleDialog.tsx')).InvitePeopleDialog,
  profile: async (): Promise<LazyDialog> => (await import('./ProfileDialog.tsx')).ProfileDialog,
  status: async (): Promise<LazyDialog> => (await import('./status/StatusDialog.tsx')).StatusDialog,
  revisions: async (): Promise<LazyDialog> => (await import('./RevisionsDialog.tsx')).RevisionsDialog,
  pictures: async (): Promise<LazyDialog> => (await import('./PictureViewer.tsx')).PictureViewer,
  why: async (): Promise<LazyDialog> => (await import('./WhyDialog.tsx')).WhyDialog,
  report: async (): Promise<LazyDialog> => (await import('../pages/admin/ReportDialog.tsx')).ReportDialog,
  moderate: async (): Promise<LazyDialog> =>
    (await import('../pages/admin/ModerateDialog.tsx')).ModerateDialog,
  create_room: async (): Promise<LazyDialog> => (await import('./CreateRoomDialog.tsx')).CreateRoomDialog,
  jump_date: async (): Promise<LazyDialog> => (await import('./JumpDateDialog.tsx')).JumpDateDialog,
  switcher: async (): Promise<LazyDialog> => (await import('./QuickSwitcher.tsx')).QuickSwitcher,
  help: async (): Promise<LazyDialog> => (await import('./HelpDialog.tsx')).HelpDialog,
  sign_out: async (): Promise<LazyDialog> => (await import('./SignOutDialog.tsx')).SignOutDialog,
};
