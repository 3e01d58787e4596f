import { describeProxy } from './proxy.contract.ts';

describeProxy('caddy', 'Caddyfile.example');
