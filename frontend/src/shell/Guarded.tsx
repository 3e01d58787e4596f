import { Component, type ReactNode } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';

const Broken = lazyPart(async () => (await import('./Broken.tsx')).Broken);

interface GuardedProps {
  /** When it changes, what is inside is tried again. */
  readonly of: unknown;
  readonly children: ReactNode;
}

/**
 * Says that what is inside cannot be shown when it fails to render, and leaves the rest of the client as it is. A newer
 * server, for one, may send what this client does not know.
 */
export class Guarded extends Component<GuardedProps, { readonly isBroken: boolean }> {
  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override state = { isBroken: false };

  override componentDidUpdate(before: GuardedProps): void {
    if (this.state.isBroken && before.of !== this.props.of) this.setState({ isBroken: false });
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children;
  }
}
