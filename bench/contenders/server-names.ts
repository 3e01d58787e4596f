/** The names that `--servers` takes. */
export const SERVERS = ['roomful', 'socketio', 'ws', 'bun'] as const;
export type ServerName = (typeof SERVERS)[number];
