import { useCallback } from 'react';
import { messagesApi, type RoomInfo } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { MessageCard } from '../message/MessageCard.tsx';
import { carryOut, may, shown } from '../message/message-commands.ts';

/** What is pinned in the room, the latest first. */
export function PinsTab({ room: { id: roomId } }: { readonly room: RoomInfo }) {
  const { pins, message: texts } = useScreenTexts();
  const load = useCallback(() => messagesApi(chat().api.requests).pins(roomId), [roomId]);
  const { loaded, reload, set } = useLoaded(load);
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(messages) =>
        messages.length === 0 ? (
          <Empty title={pins.none} hint={pins.noneHint} />
        ) : (
          <ul aria-label={pins.title}>
            {messages.map((message) => (
              <MessageCard key={message.id} message={message}>
                {may('pin', message) && (
                  <Button
                    look="quiet"
                    onClick={() => {
                      if (shown(message).pinned_at !== undefined) carryOut('pin', message, null);
                      set(messages.filter((other) => other !== message));
                    }}
                  >
                    {texts.commands.unpin}
                  </Button>
                )}
              </MessageCard>
            ))}
          </ul>
        )
      }
    </WhenLoaded>
  );
}
