import type { User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Hero } from '../../ui/Hero.tsx';

/** The page of a link that signs in, for somebody who is signed in. The link stays as it is. */
export function SignedInPage({ user }: { readonly user: User }) {
  const { signInLink } = useScreenTexts();
  return (
    <DoorPage
      hero={<Hero title={signInLink.inside(user.username)} hint={signInLink.insideHint} />}
      acts={
        <Button look="primary" onClick={() => navigate('/', 'replace')}>
          {signInLink.toRooms}
        </Button>
      }
    />
  );
}
