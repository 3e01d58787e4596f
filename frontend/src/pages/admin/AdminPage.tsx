import { type ComponentType, useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ChartIcon, DoorIcon, InviteIcon, LogIcon, PersonIcon, ShieldIcon } from '../../ui/late-icons.tsx';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { SectionPage } from '../../ui/SectionPage.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { LogTab } from './LogTab.tsx';
import { PeopleTab } from './PeopleTab.tsx';
import { RegistrationTab } from './RegistrationTab.tsx';
import { ReportsTab } from './ReportsTab.tsx';
import { RoomsTab } from './RoomsTab.tsx';
import { UsageTab } from './UsageTab.tsx';

const SECTIONS = {
  people: [PersonIcon, PeopleTab],
  registration: [InviteIcon, RegistrationTab],
  reports: [ShieldIcon, ReportsTab],
  rooms: [DoorIcon, RoomsTab],
  log: [LogIcon, LogTab],
  usage: [ChartIcon, UsageTab],
} as const satisfies Readonly<
  Record<string, readonly [ComponentType<{ readonly size?: number }>, ComponentType]>
>;
type Name = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Name[];

/** The administration of the server, in sections. For somebody who is no admin it says so. */
export function AdminPage({ section }: { readonly section: string | null }) {
  const { admin } = useScreenTexts();
  const load = useCallback(() => peopleRequests().me(), []);
  const { loaded, reload } = useLoaded(load);
  if (loaded.status === 'ready' && loaded.value.role === 'admin') {
    const sections = NAMES.map((name) => {
      const [icon, Content] = SECTIONS[name];
      return { name, title: admin[name], icon, content: <Content /> };
    });
    return <SectionPage title={admin.title} path="/admin" chosen={section} sections={sections} />;
  }
  return (
    <Page title={admin.title}>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {() => <Empty drawing="closed_door" title={admin.notAdmin} hint={admin.notAdminHint} />}
      </WhenLoaded>
    </Page>
  );
}
