/**
 * The expected status of every request and frame about a room, for each kind of room and each person. Nothing here is
 * computed; `access-matrix.test.ts` makes each request and compares.
 *
 * `silent`: the frame has no effect and no response; whether the room exists makes no difference.
 *
 * `stranger`: a member of the server who is not in the room. `guest`: a guest of the server who is not in the room.
 * `admin`: a server admin who is not in the room. The others are in the room; `visitor` is a guest of the server there.
 */

export const PEOPLE = ['stranger', 'guest', 'admin', 'member', 'moderator', 'owner', 'visitor'] as const;
export type PersonName = (typeof PEOPLE)[number];

/** A direct conversation has no roles. */
export const DM_PEOPLE = ['stranger', 'guest', 'admin', 'member', 'visitor'] as const;

const PUBLIC = `
| request                        | stranger | guest  | admin  | member | moderator | owner  | visitor |
| see                            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| history                        | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| history with notices           | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| ticket                         | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| members                        | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| join                           | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| leave                          | 403      | 404    | 403    | 204    | 204       | 409    | 204     |
| add somebody                   | 403      | 404    | 200    | 200    | 200       | 200    | 200     |
| make a member moderator        | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| remove a member                | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| change the topic               | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| rename                         | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| make private                   | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| archive                        | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| delete                         | 403      | 404    | 204    | 403    | 403       | 204    | 403     |
| make default                   | 403      | 404    | 200    | 403    | 403       | 403    | 403     |
| star                           | 403      | 404    | 403    | 200    | 200       | 200    | 200     |
| hide                           | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| invite                         | 403      | 404    | 201    | 201    | 201       | 201    | 201     |
| list invitations               | 403      | 404    | 200    | 200    | 200       | 200    | 200     |
| revoke an invitation           | 403      | 404    | 204    | 204    | 204       | 204    | 204     |
| accept an invitation           | 200      | 200    | 200    | 200    | 200       | 200    | 200     |
| open it on a line              | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| have it in sight on a line     | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| close it on a line             | silent   | silent | silent | silent | silent    | silent | silent  |
| type on a line                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| mark it unread on a line       | silent   | silent | silent | 200    | 200       | 200    | 200     |
| count it on a line             | silent   | silent | silent | 200    | 200       | 200    | 200     |
| name it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| mark it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| type on chatroom.v1            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| post on chatroom.v1            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| post on a line                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| upload a file                  | 201      | 404    | 201    | 201    | 201       | 201    | 201     |
| find it among all rooms        | yes      | no     | yes    | yes    | yes       | yes    | yes     |
| find it among own rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| read a message                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read its earlier texts         | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read its reactions             | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| ask why it notified            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| list what is pinned            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| list the files                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| open a file                    | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| react                          | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| react on a line                | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| take a reaction back           | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| pin                            | 403      | 404    | 204    | 204    | 204       | 204    | 204     |
| unpin                          | 403      | 404    | 204    | 204    | 204       | 204    | 204     |
| save                           | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| unsave                         | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| list the threads               | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read a thread                  | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| resolve a thread               | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| follow a thread                | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| unfollow a thread              | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| mark a thread read             | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| edit a text of somebody        | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| describe a file of somebody    | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| edit a text on a line          | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| remove previews of somebody    | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a text of somebody      | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a file of somebody      | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a text on a line        | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| mute a member                  | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| lift a mute                    | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| ban a member                   | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| lift a ban                     | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| see who is muted               | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| report a text                  | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| read the reports               | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| read the audit log             | 403      | 404    | 200    | 403    | 200       | 200    | 403     |`;

const PRIVATE = `
| request                        | stranger | guest  | admin  | member | moderator | owner  | visitor |
| see                            | 404      | 404    | 200    | 200    | 200       | 200    | 200     |
| history                        | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| history with notices           | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| ticket                         | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| members                        | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| join                           | 404      | 404    | 200    | 200    | 200       | 200    | 200     |
| leave                          | 404      | 404    | 404    | 204    | 204       | 409    | 204     |
| add somebody                   | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| make a member moderator        | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| remove a member                | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| change the topic               | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| rename                         | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| make private                   | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| archive                        | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| delete                         | 404      | 404    | 404    | 403    | 403       | 204    | 403     |
| make default                   | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| star                           | 404      | 404    | 403    | 200    | 200       | 200    | 200     |
| hide                           | 404      | 404    | 403    | 403    | 403       | 403    | 403     |
| invite                         | 404      | 404    | 404    | 201    | 201       | 201    | 201     |
| list invitations               | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| revoke an invitation           | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| accept an invitation           | 200      | 200    | 200    | 200    | 200       | 200    | 200     |
| open it on a line              | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| have it in sight on a line     | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| close it on a line             | silent   | silent | silent | silent | silent    | silent | silent  |
| type on a line                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| mark it unread on a line       | silent   | silent | silent | 200    | 200       | 200    | 200     |
| count it on a line             | silent   | silent | silent | 200    | 200       | 200    | 200     |
| name it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| mark it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| type on chatroom.v1            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| post on chatroom.v1            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| post on a line                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| upload a file                  | 404      | 404    | 404    | 201    | 201       | 201    | 201     |
| find it among all rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| find it among own rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| read a message                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read its earlier texts         | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read its reactions             | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| ask why it notified            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| list what is pinned            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| list the files                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| open a file                    | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| react                          | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| react on a line                | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| take a reaction back           | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| pin                            | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| unpin                          | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| save                           | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| unsave                         | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| list the threads               | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read a thread                  | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| resolve a thread               | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| follow a thread                | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| unfollow a thread              | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| mark a thread read             | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| edit a text of somebody        | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| describe a file of somebody    | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| edit a text on a line          | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| remove previews of somebody    | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a text of somebody      | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a file of somebody      | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a text on a line        | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| mute a member                  | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| lift a mute                    | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| ban a member                   | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| lift a ban                     | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| see who is muted               | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| report a text                  | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| read the reports               | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| read the audit log             | 404      | 404    | 404    | 403    | 200       | 200    | 403     |`;

/** A public room that is archived: it can be read, and nothing else but putting its members in order. */
const ARCHIVED = `
| request                        | stranger | guest  | admin  | member | moderator | owner  | visitor |
| see                            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| history                        | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| history with notices           | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| ticket                         | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| members                        | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| join                           | 403      | 404    | 403    | 200    | 200       | 200    | 200     |
| leave                          | 403      | 404    | 403    | 204    | 204       | 409    | 204     |
| add somebody                   | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| make a member moderator        | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| remove a member                | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| change the topic               | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| rename                         | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| make private                   | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| archive                        | 403      | 404    | 200    | 403    | 403       | 200    | 403     |
| delete                         | 403      | 404    | 204    | 403    | 403       | 204    | 403     |
| make default                   | 403      | 404    | 200    | 403    | 403       | 403    | 403     |
| star                           | 403      | 404    | 403    | 200    | 200       | 200    | 200     |
| hide                           | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| invite                         | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| list invitations               | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| revoke an invitation           | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| accept an invitation           | 404      | 404    | 404    | 404    | 404       | 404    | 404     |
| open it on a line              | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| have it in sight on a line     | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| close it on a line             | silent   | silent | silent | silent | silent    | silent | silent  |
| type on a line                 | silent   | 404    | silent | silent | silent    | silent | silent  |
| mark it unread on a line       | silent   | silent | silent | 200    | 200       | 200    | 200     |
| count it on a line             | silent   | silent | silent | 200    | 200       | 200    | 200     |
| name it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| mark it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| type on chatroom.v1            | silent   | 404    | silent | silent | silent    | silent | silent  |
| post on chatroom.v1            | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| post on a line                 | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| upload a file                  | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| find it among all rooms        | yes      | no     | yes    | yes    | yes       | yes    | yes     |
| find it among own rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| read a message                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read its earlier texts         | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read its reactions             | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| ask why it notified            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| list what is pinned            | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| list the files                 | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| open a file                    | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| react                          | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| react on a line                | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| take a reaction back           | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| pin                            | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| unpin                          | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| save                           | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| unsave                         | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| list the threads               | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| read a thread                  | 200      | 404    | 200    | 200    | 200       | 200    | 200     |
| resolve a thread               | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| follow a thread                | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| unfollow a thread              | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| mark a thread read             | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| edit a text of somebody        | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| describe a file of somebody    | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| edit a text on a line          | 403      | 404    | 403    | 403    | 403       | 403    | 403     |
| remove previews of somebody    | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a text of somebody      | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a file of somebody      | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| delete a text on a line        | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| mute a member                  | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| lift a mute                    | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| ban a member                   | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| lift a ban                     | 403      | 404    | 204    | 403    | 204       | 204    | 403     |
| see who is muted               | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| report a text                  | 204      | 404    | 204    | 204    | 204       | 204    | 204     |
| read the reports               | 403      | 404    | 200    | 403    | 200       | 200    | 403     |
| read the audit log             | 403      | 404    | 200    | 403    | 200       | 200    | 403     |`;

/** A private room that is archived. */
const ARCHIVED_PRIVATE = `
| request                        | stranger | guest  | admin  | member | moderator | owner  | visitor |
| see                            | 404      | 404    | 200    | 200    | 200       | 200    | 200     |
| history                        | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| history with notices           | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| ticket                         | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| members                        | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| join                           | 404      | 404    | 403    | 200    | 200       | 200    | 200     |
| leave                          | 404      | 404    | 404    | 204    | 204       | 409    | 204     |
| add somebody                   | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| make a member moderator        | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| remove a member                | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| change the topic               | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| rename                         | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| make private                   | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| archive                        | 404      | 404    | 404    | 403    | 403       | 200    | 403     |
| delete                         | 404      | 404    | 404    | 403    | 403       | 204    | 403     |
| make default                   | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| star                           | 404      | 404    | 403    | 200    | 200       | 200    | 200     |
| hide                           | 404      | 404    | 403    | 403    | 403       | 403    | 403     |
| invite                         | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| list invitations               | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| revoke an invitation           | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| accept an invitation           | 404      | 404    | 404    | 404    | 404       | 404    | 404     |
| open it on a line              | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| have it in sight on a line     | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| close it on a line             | silent   | silent | silent | silent | silent    | silent | silent  |
| type on a line                 | 404      | 404    | 404    | silent | silent    | silent | silent  |
| mark it unread on a line       | silent   | silent | silent | 200    | 200       | 200    | 200     |
| count it on a line             | silent   | silent | silent | 200    | 200       | 200    | 200     |
| name it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| mark it at the start of a line | silent   | silent | silent | 200    | 200       | 200    | 200     |
| type on chatroom.v1            | 404      | 404    | 404    | silent | silent    | silent | silent  |
| post on chatroom.v1            | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| post on a line                 | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| upload a file                  | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| find it among all rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| find it among own rooms        | no       | no     | no     | yes    | yes       | yes    | yes     |
| read a message                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read its earlier texts         | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read its reactions             | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| ask why it notified            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| list what is pinned            | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| list the files                 | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| open a file                    | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| react                          | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| react on a line                | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| take a reaction back           | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| pin                            | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| unpin                          | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| save                           | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| unsave                         | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| list the threads               | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| read a thread                  | 404      | 404    | 404    | 200    | 200       | 200    | 200     |
| resolve a thread               | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| follow a thread                | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| unfollow a thread              | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| mark a thread read             | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| edit a text of somebody        | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| describe a file of somebody    | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| edit a text on a line          | 404      | 404    | 404    | 403    | 403       | 403    | 403     |
| remove previews of somebody    | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a text of somebody      | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a file of somebody      | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| delete a text on a line        | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| mute a member                  | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| lift a mute                    | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| ban a member                   | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| lift a ban                     | 404      | 404    | 404    | 403    | 204       | 204    | 403     |
| see who is muted               | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| report a text                  | 404      | 404    | 404    | 204    | 204       | 204    | 204     |
| read the reports               | 404      | 404    | 404    | 403    | 200       | 200    | 403     |
| read the audit log             | 404      | 404    | 404    | 403    | 200       | 200    | 403     |`;

/**
 * `member` has made it. Until somebody posts it is not on the list of the others; posts, and what is about a message, come
 * last.
 */
const DM = `
| request                        | stranger | guest  | admin  | member | visitor |
| see                            | 404      | 404    | 404    | 200    | 200     |
| history                        | 404      | 404    | 404    | 200    | 200     |
| history with notices           | 404      | 404    | 404    | 200    | 200     |
| ticket                         | 404      | 404    | 404    | 404    | 404     |
| members                        | 404      | 404    | 404    | 200    | 200     |
| join                           | 404      | 404    | 404    | 403    | 403     |
| leave                          | 404      | 404    | 404    | 403    | 403     |
| add somebody                   | 404      | 404    | 404    | 403    | 403     |
| make a member moderator        | 404      | 404    | 404    | 403    | 403     |
| remove a member                | 404      | 404    | 404    | 403    | 403     |
| change the topic               | 404      | 404    | 404    | 403    | 403     |
| rename                         | 404      | 404    | 404    | 403    | 403     |
| make private                   | 404      | 404    | 404    | 403    | 403     |
| archive                        | 404      | 404    | 404    | 403    | 403     |
| delete                         | 404      | 404    | 404    | 403    | 403     |
| make default                   | 404      | 404    | 404    | 403    | 403     |
| star                           | 404      | 404    | 404    | 200    | 200     |
| hide                           | 404      | 404    | 404    | 200    | 200     |
| invite                         | 404      | 404    | 404    | 403    | 403     |
| list invitations               | 404      | 404    | 404    | 403    | 403     |
| revoke an invitation           | 404      | 404    | 404    | 403    | 403     |
| open it on a line              | 404      | 404    | 404    | 200    | 200     |
| have it in sight on a line     | 404      | 404    | 404    | 200    | 200     |
| close it on a line             | silent   | silent | silent | silent | silent  |
| type on a line                 | 404      | 404    | 404    | 200    | 200     |
| mark it unread on a line       | silent   | silent | silent | 200    | silent  |
| count it on a line             | silent   | silent | silent | 200    | silent  |
| name it at the start of a line | silent   | silent | silent | 200    | silent  |
| mark it at the start of a line | silent   | silent | silent | 200    | silent  |
| type on chatroom.v1            | 404      | 404    | 404    | 404    | 404     |
| post on chatroom.v1            | 404      | 404    | 404    | 404    | 404     |
| find it among all rooms        | no       | no     | no     | no     | no      |
| find it among own rooms        | no       | no     | no     | yes    | no      |
| post on a line                 | 404      | 404    | 404    | 200    | 200     |
| upload a file                  | 404      | 404    | 404    | 201    | 201     |
| read a message                 | 404      | 404    | 404    | 200    | 200     |
| read its earlier texts         | 404      | 404    | 404    | 200    | 200     |
| read its reactions             | 404      | 404    | 404    | 200    | 200     |
| ask why it notified            | 404      | 404    | 404    | 200    | 200     |
| list what is pinned            | 404      | 404    | 404    | 200    | 200     |
| list the files                 | 404      | 404    | 404    | 200    | 200     |
| open a file                    | 404      | 404    | 404    | 200    | 200     |
| react                          | 404      | 404    | 404    | 204    | 204     |
| react on a line                | 404      | 404    | 404    | 200    | 200     |
| take a reaction back           | 404      | 404    | 404    | 204    | 204     |
| pin                            | 404      | 404    | 404    | 204    | 204     |
| unpin                          | 404      | 404    | 404    | 204    | 204     |
| save                           | 404      | 404    | 404    | 204    | 204     |
| unsave                         | 404      | 404    | 404    | 204    | 204     |
| list the threads               | 404      | 404    | 404    | 200    | 200     |
| read a thread                  | 404      | 404    | 404    | 200    | 200     |
| resolve a thread               | 404      | 404    | 404    | 200    | 200     |
| follow a thread                | 404      | 404    | 404    | 204    | 204     |
| unfollow a thread              | 404      | 404    | 404    | 204    | 204     |
| mark a thread read             | 404      | 404    | 404    | 204    | 204     |
| edit a text of somebody        | 404      | 404    | 404    | 403    | 403     |
| describe a file of somebody    | 404      | 404    | 404    | 403    | 403     |
| edit a text on a line          | 404      | 404    | 404    | 403    | 403     |
| remove previews of somebody    | 404      | 404    | 404    | 403    | 403     |
| delete a text of somebody      | 404      | 404    | 404    | 403    | 403     |
| delete a file of somebody      | 404      | 404    | 404    | 403    | 403     |
| delete a text on a line        | 404      | 404    | 404    | 403    | 403     |
| mute a member                  | 404      | 404    | 404    | 403    | 403     |
| lift a mute                    | 404      | 404    | 404    | 403    | 403     |
| ban a member                   | 404      | 404    | 404    | 403    | 403     |
| lift a ban                     | 404      | 404    | 404    | 403    | 403     |
| see who is muted               | 404      | 404    | 404    | 403    | 403     |
| report a text                  | 404      | 404    | 404    | 204    | 204     |
| read the reports               | 404      | 404    | 404    | 403    | 403     |
| read the audit log             | 404      | 404    | 404    | 403    | 403     |`;

export const KINDS = ['public', 'private', 'archived', 'archived private', 'dm'] as const;
export type Kind = (typeof KINDS)[number];

export interface Cell {
  kind: Kind;
  request: string;
  person: PersonName;
  /** A status, `silent`, or `yes` and `no`. */
  expected: string;
}

export const CELLS: Cell[] = [
  ...cellsOf('public', PUBLIC),
  ...cellsOf('private', PRIVATE),
  ...cellsOf('archived', ARCHIVED),
  ...cellsOf('archived private', ARCHIVED_PRIVATE),
  ...cellsOf('dm', DM),
];

function cellsOf(kind: Kind, table: string): Cell[] {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const people = header.slice(1) as PersonName[];
  return rows.flatMap(([request = '', ...statuses]) =>
    people.map((person, index) => ({ kind, request, person, expected: statuses[index] ?? '' })),
  );
}
