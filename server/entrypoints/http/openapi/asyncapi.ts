/** Generates the AsyncAPI 3.0 document from the schemas of the frames and their descriptions. */
import { ZodLiteral, type ZodObject } from 'zod';
import { clientFrameV1, serverFrameV1 } from '../../../../protocol/frames/v1.ts';
import { clientFrameV2, serverFrameV2 } from '../../../../protocol/frames/v2.ts';
import { CLIENT_V1, CLIENT_V2, type FrameDescription, SERVER_V1, SERVER_V2 } from './frames.ts';
import { type Json, toSchema } from './schema.ts';

/** The frames of one protocol in one direction. The server sends some, and receives the others. */
interface Direction {
  action: 'send' | 'receive';
  frames: readonly ZodObject[];
  descriptions: Readonly<Record<string, FrameDescription>>;
}

interface SocketProtocol {
  name: string;
  summary: string;
  ticket: string;
  directions: readonly Direction[];
}

const PROTOCOLS: Readonly<Record<string, SocketProtocol>> = {
  v1: {
    name: 'chatroom.v1',
    summary: 'One room: messages, typing, joins and leaves',
    ticket: 'a ticket of a room',
    directions: [
      { action: 'receive', frames: clientFrameV1.options, descriptions: CLIENT_V1 },
      { action: 'send', frames: serverFrameV1.options, descriptions: SERVER_V1 },
    ],
  },
  v2: {
    name: 'chatroom.v2',
    summary: 'All rooms of a user, with acknowledgements, and resuming without a gap',
    ticket: 'a ticket of the user',
    directions: [
      { action: 'receive', frames: clientFrameV2.options, descriptions: CLIENT_V2 },
      { action: 'send', frames: serverFrameV2.options, descriptions: SERVER_V2 },
    ],
  },
};

/** The server's own document: it `receives` what clients send. */
export function asyncApiDocument(version: string): Json {
  const schemas: Json = {};
  const messages: Json = {};
  const channels: Json = {};
  const operations: Json = {};
  for (const [key, protocol] of Object.entries(PROTOCOLS)) {
    const ofChannel: Json = {};
    for (const { action, frames, descriptions } of protocol.directions) {
      const references = frames.map((frame) => {
        const type = typeOf(frame);
        const name = `${key}.${action}.${type}`;
        messages[name] = messageOf(frame, type, action, descriptions, schemas);
        ofChannel[name] = { $ref: `#/components/messages/${name}` };
        return { $ref: `#/channels/${key}/messages/${name}` };
      });
      const channel = { $ref: `#/channels/${key}` };
      operations[`${key}.${action}`] = { action, channel, messages: references };
    }
    channels[key] = channelOf(protocol, ofChannel);
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Roomful',
      version,
      license: { name: 'MIT' },
      description: 'The WebSocket of Roomful. Each text frame is one JSON object.',
    },
    defaultContentType: 'application/json',
    servers: {
      chat: {
        host: '{host}',
        protocol: 'wss',
        security: [{ $ref: '#/components/securitySchemes/ticket' }],
        variables: { host: { default: 'localhost:8080', description: 'As that of the REST interface.' } },
        description: 'Without TLS the protocol is ws.',
      },
    },
    channels,
    operations,
    components: {
      schemas,
      messages,
      securitySchemes: {
        ticket: {
          type: 'httpApiKey',
          in: 'header',
          name: 'Sec-WebSocket-Protocol',
          description:
            'The protocol, and `ticket.` with a ticket of `POST /api/v1/ws/tickets`. A ticket opens one socket.',
        },
      },
    },
  };
}

function channelOf({ name, summary, ticket }: SocketProtocol, messages: Json): Json {
  return {
    address: '/ws',
    title: name,
    summary,
    messages,
    description: `The subprotocols are \`${name}\` and \`ticket.<ticket>\`; it takes ${ticket}.`,
    bindings: { ws: { method: 'GET' } },
  };
}

function messageOf(
  frame: ZodObject,
  type: string,
  action: Direction['action'],
  descriptions: Direction['descriptions'],
  schemas: Json,
): Json {
  const description = descriptions[type];
  if (!description) throw new Error(`the frame ${type} has no description`);
  const io = action === 'send' ? 'output' : 'input';
  return {
    name: type,
    summary: description.summary,
    contentType: 'application/json',
    payload: toSchema(frame, io, schemas, 'draft-7'),
    examples: [{ payload: description.example }],
  };
}

function typeOf(frame: ZodObject): string {
  const { type } = frame.shape;
  if (!(type instanceof ZodLiteral)) throw new Error('a frame has no type');
  return String(type.value);
}
