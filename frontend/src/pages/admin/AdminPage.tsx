import { type ComponentType, useCallback, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { peopleRequests } from '../../stores/requests.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { LogTab } from './LogTab.tsx';
import { PeopleTab } from './PeopleTab.tsx';
import { RegistrationTab } from './RegistrationTab.tsx';
import { ReportsTab } from './ReportsTab.tsx';
import { RoomsTab } from './RoomsTab.tsx';
import { UsageTab } from './UsageTab.tsx';

const TABS = {
  people: PeopleTab,
  registration: RegistrationTab,
  reports: ReportsTab,
  rooms: RoomsTab,
  log: LogTab,
  usage: UsageTab,
} as const satisfies Readonly<Record<string, ComponentType>>;
type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

/** The administration of the server, in parts. For somebody who is no admin it says so. */
export function AdminPage() {
  const { admin } = useScreenTexts();
  const load = useCallback(() => peopleRequests().me(), []);
  const { loaded, reload } = useLoaded(load);
  return (
    <Page title={admin.title}>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {({ role }) =>
          role === 'admin' ? (
            <Parts />
          ) : (
            <Empty drawing="closed_door" title={admin.notAdmin} hint={admin.notAdminHint} />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function Parts() {
  const { admin } = useScreenTexts();
  const [tab, setTab] = useState<Tab>('people');
  const Content = TABS[tab];

  return (
    <>
      <Tabs
        label={admin.tabs}
        names={NAMES}
        chosen={tab}
        id="admin"
        className={styles.tabs}
        textOf={(name) => admin[name]}
        onChoose={setTab}
      />
      <div id="admin-panel" className={styles.panel} role="tabpanel" aria-labelledby={`admin-${tab}`}>
        <Content />
      </div>
    </>
  );
}
