import { Component, type ReactNode } from 'react';
import type { TimelineController } from './timeline-controller.ts';
import type { TimelineInput } from './timeline-input.ts';

interface TimelineCommitsProps {
  readonly controller: TimelineController;
  readonly input: TimelineInput;
  readonly children: ReactNode;
}

/**
 * Tells the controller of every commit. It is a class because React has no hook for the moment before it changes the
 * document, and only then is the scroll position that of the rows that are about to change.
 */
export class TimelineCommits extends Component<TimelineCommitsProps> {
  override componentDidMount(): void {
    this.props.controller.afterCommit(this.props.input);
  }

  override getSnapshotBeforeUpdate(): null {
    this.props.controller.beforeCommit(this.props.input);
    return null;
  }

  override componentDidUpdate(): void {
    this.props.controller.afterCommit(this.props.input);
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
