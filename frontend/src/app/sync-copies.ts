import { useLanguage } from '../i18n/catalogue.ts';
import { clockTime } from '../i18n/time.ts';
import { joinMessages, textWithin } from '../room/message/copied-text.ts';
import { messageOf } from '../room/message/held-message.ts';
import { usePeople } from '../stores/people.ts';

/** What is copied of messages is what people wrote. Returns the function that ends that. */
export function syncCopies(): () => void {
  document.addEventListener('copy', onCopy);
  return () => document.removeEventListener('copy', onCopy);
}

function onCopy(event: ClipboardEvent): void {
  const selection = document.getSelection();
  // A selection in a field is not one of the page.
  if (event.defaultPrevented || document.activeElement?.matches('input, textarea')) return;
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const rows = [...document.querySelectorAll('[data-row=message]')].filter((row) =>
    range.intersectsNode(row),
  );
  const { text } = useLanguage.getState();
  const { profiles } = usePeople.getState();
  const messages = rows.flatMap((row) => {
    const content = row.querySelector('[data-testid=message-content]');
    const copied = content === null ? '' : textWithin(content, range);
    if (copied === '') return [];
    const message = messageOf(row);
    const name = message && (profiles.get(message.user_id)?.display_name || message.username);
    const time = row.querySelector('time')?.dateTime ?? '';
    return [{ author: name ?? '', time: clockTime(text, Date.parse(time)), text: copied }];
  });
  if (messages.length === 0) return;
  event.clipboardData?.setData('text/plain', joinMessages(messages));
  event.preventDefault();
}
