/**
 * The small parts of a room that its first paint does without. They are one file of the build: each file more makes the
 * start larger, and costs a request.
 */

export { Empty } from '../ui/Empty.tsx';
export { ComposerAids } from './composer/ComposerAids.tsx';
export { LengthNotes } from './composer/LengthNotes.tsx';
export { MentionMirror } from './composer/MentionMirror.tsx';
export { TypingNames } from './composer/TypingNames.tsx';
export { ConnectionBanner } from './header/ConnectionBanner.tsx';
export { HeaderLine } from './header/HeaderLine.tsx';
export { HeaderTools } from './header/HeaderTools.tsx';
export { KeptDraft } from './KeptDraft.tsx';
export { MutedBar } from './MutedBar.tsx';
export { BlockedLine } from './message/BlockedLine.tsx';
export { LinkPreviews } from './message/LinkPreviews.tsx';
export { MessageActions } from './message/MessageActions.tsx';
export { MessageEditor } from './message/MessageEditor.tsx';
export { MessageFoot } from './message/MessageFoot.tsx';
export { NotSent } from './message/NotSent.tsx';
export { Tombstone } from './message/Tombstone.tsx';
export { NotMemberBar } from './NotMemberBar.tsx';
export { RoomGone } from './RoomGone.tsx';

export { RouteJump } from './RouteJump.tsx';

export { Quote } from './thread/Quote.tsx';
export { ReplyBar } from './thread/ReplyBar.tsx';

export { ArrivalSentence } from './timeline/ArrivalSentence.tsx';
export { FactSentence } from './timeline/FactSentence.tsx';
export { Threshold } from './timeline/Threshold.tsx';
export { TimelineAnnouncer } from './timeline/TimelineAnnouncer.tsx';
export { TimelineOlder } from './timeline/TimelineOlder.tsx';
export { TimelinePill } from './timeline/TimelinePill.tsx';
export { TimelineUnreadBar } from './timeline/TimelineUnreadBar.tsx';
