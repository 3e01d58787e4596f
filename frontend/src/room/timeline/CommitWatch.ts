import { Component, type ReactNode } from 'react';

interface CommitWatchProps {
  readonly before: () => void;
  readonly after: () => void;
  readonly children: ReactNode;
}

/**
 * Calls `before` just before React changes the document, and `after` when it has, before the picture. Only a class is
 * told of the former, and nothing else sees the place that a reader is scrolled to at that very moment.
 */
export class CommitWatch extends Component<CommitWatchProps> {
  override componentDidMount(): void {
    this.props.after();
  }

  override getSnapshotBeforeUpdate(): null {
    this.props.before();
    return null;
  }

  override componentDidUpdate(): void {
    this.props.after();
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
