/** The one Trusted Types policy of this client. It allows its own workers and no other script address. */

export const WORKER_PATH = '/sw.js';
/** Scripts of the build, named by the hash of their content. */
const ASSET = /^\/assets\/[\w-]+\.js$/;

/** A policy returns an object of the browser. TypeScript does not know it yet: here it is a string. */
interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: 'roomful', rules: ScriptPolicy): ScriptPolicy;
}

const rules: ScriptPolicy = {
  createScriptURL: (url) => {
    const isOwn = url === WORKER_PATH || ASSET.test(url) || import.meta.env.DEV;
    if (!isOwn) throw new TypeError('no script may come from there');
    return url;
  },
};

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };

/** In browsers without Trusted Types the rules apply by themselves. */
export const scriptPolicy: ScriptPolicy = trustedTypes?.createPolicy('roomful', rules) ?? rules;
