/** The one Trusted Types policy of this client: it vouches for the service worker's own address and for nothing else. */

export const WORKER_PATH = '/sw.js';

/** What a policy gives is an object of the browser's own; to TypeScript, which does not know it yet, it is a string. */
interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: 'roomful', rules: ScriptPolicy): ScriptPolicy;
}

const rules: ScriptPolicy = {
  createScriptURL: (url) => {
    if (url !== WORKER_PATH) throw new TypeError('no script may come from there');
    return url;
  },
};

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };

/** Where there are no Trusted Types, the rules stand alone. */
export const scriptPolicy: ScriptPolicy = trustedTypes?.createPolicy('roomful', rules) ?? rules;
